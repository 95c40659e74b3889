#@case {"kernel": "row_means"}
import torch
import triton
import triton.language as tl


@triton.jit
def row_means(x_ptr, m_ptr, rows, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    if row >= rows:
        return
    total = 0.0
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.sum(tl.load(x_ptr + row * columns + at, mask=at < columns, other=0.0))
    tl.store(m_ptr + row, total / columns)


def means(x):
    m = torch.empty(x.shape[0], device=x.device)
    row_means[(x.shape[0],)](x, m, x.shape[0], x.shape[1], BLOCK=128)
    return m
