# Rows, kept or blanked, brought to length 1; no length counts as less than eps. The tensor may be any view.

import torch
import triton
import triton.language as tl


@triton.jit
def unit_rows_kernel(x, keep, out, columns, stride_row, stride_column, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    weight = tl.load(keep + row)
    squares = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * stride_row + at * stride_column, mask=at < columns, other=0.0) * weight
        squares += v * v
    length = tl.maximum(tl.sqrt(tl.sum(squares, axis=0)), eps)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * stride_row + at * stride_column, mask=at < columns, other=0.0) * weight
        tl.store(out + row * columns + at, v / length, mask=at < columns)


def unit_rows(x, keep, eps):
    rows, columns = x.shape
    out = torch.empty((rows, columns), dtype=x.dtype, device=x.device)
    unit_rows_kernel[(rows,)](x, keep, out, columns, x.stride(0), x.stride(1), eps, BLOCK=32)
    return out
