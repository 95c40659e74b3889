# task: triton-rr06-unit-rows
# source: rr
# caught by: wrong values
# does: adds the square of eps under the root instead of taking the greater of length and eps; shows only in rows whose length is not far above eps (few columns, eps 0.75)

import torch
import triton
import triton.language as tl


@triton.jit
def unit_rows_kernel(x, keep, out, columns, stride_row, stride_column, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * stride_row + at * stride_column, mask=at < columns, other=0.0) * tl.load(keep + row)
    scale = 1.0 / tl.sqrt(tl.sum(v * v, axis=0) + eps * eps)
    tl.store(out + row * columns + at, v * scale, mask=at < columns)


def unit_rows(x, keep, eps):
    rows, columns = x.shape
    out = torch.empty((rows, columns), dtype=x.dtype, device=x.device)
    block = triton.next_power_of_2(columns)
    unit_rows_kernel[(rows,)](x, keep, out, columns, x.stride(0), x.stride(1), eps, BLOCK=block)
    return out
