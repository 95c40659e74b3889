# task: triton-softmax
# does: the row in one block

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x, y, columns, BLOCK: tl.constexpr):
    row, at = tl.program_id(0) * columns, tl.arange(0, BLOCK)
    values = tl.load(x + row + at, mask=at < columns, other=float("-inf"))
    values = tl.exp(values - tl.max(values, axis=0))
    tl.store(y + row + at, values / tl.sum(values, axis=0), mask=at < columns)


def softmax(x):
    y = torch.empty_like(x)
    softmax_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
    return y
