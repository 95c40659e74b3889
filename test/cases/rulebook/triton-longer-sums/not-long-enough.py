#@case {"kernel": "overlap"}
import torch
import triton
import triton.language as tl


@triton.jit
def overlap(left, right, out, n, m, depth, ROWS: tl.constexpr, COLS: tl.constexpr, STEP: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    cols = tl.program_id(1) * COLS + tl.arange(0, COLS)
    part = tl.arange(0, STEP)
    total = tl.zeros((ROWS, COLS), dtype=tl.float32)
    for at in range(0, depth, STEP):  #@ instructions=6000
        here = at + part < depth
        a = tl.load(left + rows[:, None] * depth + at + part[None, :], mask=(rows[:, None] < n) & here[None, :], other=0.0)
        b = tl.load(right + cols[None, :] * depth + at + part[:, None], mask=(cols[None, :] < m) & here[:, None], other=0.0)
        total += tl.dot(a, b)
    tl.store(out + rows[:, None] * m + cols[None, :], total, mask=(rows[:, None] < n) & (cols[None, :] < m))


def run(left, right):
    n, depth = left.shape
    m = right.shape[0]
    out = torch.empty((n, m), device=left.device)
    overlap[(triton.cdiv(n, 64), triton.cdiv(m, 64))](left, right, out, n, m, depth, ROWS=64, COLS=64, STEP=64)
    return out
