# task: triton-softmax
# source: k
# does: promises the compiler that rows are multiples of 16, which lets it move four numbers at once past the end of a row and off their alignment
# caught by: misaligned or out-of-bounds or wrong values

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x, y, columns, BLOCK: tl.constexpr):
    width = tl.multiple_of(tl.minimum(columns, BLOCK), 16)
    at = tl.max_contiguous(tl.multiple_of(tl.arange(0, BLOCK), BLOCK), BLOCK)
    start = tl.multiple_of(tl.program_id(0) * columns, 16)
    values = tl.load(x + start + at, mask=at < width, other=float("-inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(y + start + at, powers / tl.sum(powers, axis=0), mask=at < width)


def softmax(x):
    y = torch.empty_like(x)
    columns = x.shape[1]
    softmax_kernel[(x.shape[0],)](x, y, columns, BLOCK=triton.next_power_of_2(columns), num_warps=4)
    return y
