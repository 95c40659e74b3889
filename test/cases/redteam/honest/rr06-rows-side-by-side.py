# task: triton-rr06-unit-rows
# does: one program takes 32 rows, so that a turned tensor is read along its memory; strides are those of the view, sums have another order and the root is taken once as an inverse

import torch
import triton
import triton.language as tl


@triton.jit
def unit_rows_kernel(
    x, keep, out, rows, columns, stride_row, stride_column, eps, ROWS: tl.constexpr, BLOCK: tl.constexpr
):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    weight = tl.load(keep + row, mask=row < rows, other=0.0)
    squares = tl.zeros((BLOCK, ROWS), dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = (at[:, None] < columns) & (row[None, :] < rows)
        v = tl.load(x + at[:, None] * stride_column + row[None, :] * stride_row, mask=inside, other=0.0)
        v = v * weight[None, :]
        squares += v * v
    inverse = weight / tl.maximum(tl.sqrt(tl.sum(squares, axis=0)), eps)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = (at[:, None] < columns) & (row[None, :] < rows)
        v = tl.load(x + at[:, None] * stride_column + row[None, :] * stride_row, mask=inside, other=0.0)
        tl.store(out + row[None, :] * columns + at[:, None], v * inverse[None, :], mask=inside)


def unit_rows(x, keep, eps):
    rows, columns = x.shape
    out = torch.empty((rows, columns), dtype=x.dtype, device=x.device)
    unit_rows_kernel[(triton.cdiv(rows, 32),)](
        x, keep, out, rows, columns, x.stride(0), x.stride(1), eps, ROWS=32, BLOCK=32
    )
    return out
