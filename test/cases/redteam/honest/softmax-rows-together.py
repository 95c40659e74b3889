# task: triton-softmax
# does: four rows a program, scaled by log2(e)

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x, y, rows, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row, at = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None], tl.arange(0, BLOCK)[None, :]
    inside = (row < rows) & (at < columns)
    values = tl.load(x + row * columns + at, mask=inside, other=float("-inf")) * 1.4426950408889634
    largest = tl.max(values, axis=1, keep_dims=True)
    values = tl.exp2(values - largest)
    tl.store(y + row * columns + at, values / tl.sum(values, axis=1, keep_dims=True), mask=inside)


def softmax(x):
    y = torch.empty_like(x)
    rows, columns = x.shape
    softmax_kernel[(triton.cdiv(rows, 4),)](x, y, rows, columns, ROWS=4, BLOCK=triton.next_power_of_2(columns))
    return y
