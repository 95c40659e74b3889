# task: triton-logsumexp
# source: z
# does: takes one maximum for four rows, which is right as long as no row lies far below its neighbours
# caught by: wrong values

import torch
import triton
import triton.language as tl


@triton.jit
def lse_kernel(x, y, rows, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    at = tl.arange(0, BLOCK)
    inside = (row[:, None] < rows) & (at[None, :] < columns)
    places = row[:, None] * columns + at[None, :]
    values = tl.load(x + places, mask=inside, other=float("-inf"))
    largest = tl.max(tl.max(values, axis=1), axis=0)
    total = tl.sum(tl.exp(values - largest), axis=1)
    correction = largest + tl.log(total)
    tl.store(y + places, values - correction[:, None], mask=inside)


def log_softmax(x):
    y = torch.empty_like(x)
    rows, columns = x.shape
    block = triton.next_power_of_2(columns)
    lse_kernel[(triton.cdiv(rows, 4),)](x, y, rows, columns, ROWS=4, BLOCK=block, num_warps=8)
    return y
