# task: triton-softmax
# source: verdicts 5
# does: leaves out the maximum, which only large values need
# caught by: wrong values

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x, y, columns, BLOCK: tl.constexpr):
    row, at = tl.program_id(0) * columns, tl.arange(0, BLOCK)
    values = tl.exp(tl.load(x + row + at, mask=at < columns, other=float("-inf")))
    tl.store(y + row + at, values / tl.sum(values, axis=0), mask=at < columns)


def softmax(x):
    y = torch.empty_like(x)
    softmax_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
    return y
