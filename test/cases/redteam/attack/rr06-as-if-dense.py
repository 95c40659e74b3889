# task: triton-rr06-unit-rows
# source: rr
# caught by: wrong values
# does: reads the tensor as if its rows lay dense in memory; shows for every view that is turned or cut, and never for a dense tensor

import torch
import triton
import triton.language as tl


@triton.jit
def unit_rows_kernel(x, keep, out, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + at, mask=at < columns, other=0.0) * tl.load(keep + row)
    length = tl.maximum(tl.sqrt(tl.sum(v * v, axis=0)), eps)
    tl.store(out + row * columns + at, v / length, mask=at < columns)


def unit_rows(x, keep, eps):
    rows, columns = x.shape
    out = torch.empty((rows, columns), dtype=x.dtype, device=x.device)
    unit_rows_kernel[(rows,)](x, keep, out, columns, eps, BLOCK=triton.next_power_of_2(columns))
    return out
