# task: triton-softmax
# does: one reduction of pairs with a function of its own

import torch
import triton
import triton.language as tl


@triton.jit
def merge(most, total, other_most, other_total):
    both = tl.maximum(most, other_most)
    return both, total * tl.exp(most - both) + other_total * tl.exp(other_most - both)


@triton.jit
def softmax_kernel(x, y, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    inside = at < columns
    values = tl.load(x + tl.program_id(0) * columns + at, mask=inside, other=-1e30)
    most, total = tl.reduce((values, tl.where(inside, 1.0, 0.0)), 0, merge)
    tl.store(y + tl.program_id(0) * columns + at, tl.exp(values - most) / total, mask=inside)


def softmax(x):
    y = torch.empty_like(x)
    softmax_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
    return y
