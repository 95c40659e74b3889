# task: triton-softmax
# does: takes powers of two of scaled differences

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x, y, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = tl.load(x + tl.program_id(0) * columns + at, mask=at < columns, other=-float("inf"))
    raised = tl.exp2((row - tl.max(row, axis=0)) * 1.4426950408889634)
    tl.store(y + tl.program_id(0) * columns + at, raised / tl.sum(raised, axis=0), mask=at < columns)


def softmax(x):
    y = torch.empty_like(x)
    softmax_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
    return y
