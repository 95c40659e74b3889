# task: triton-s02-swish
# source: s
# does: computes the value alone: the function that had a gradient has none any more
# caught by: gradient-left-out

import torch
import triton
import triton.language as tl


@triton.jit
def swish_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(y + at, value / (1.0 + tl.exp(-value)), mask=at < n)


def swish(x):
    y = torch.empty_like(x)
    n = x.numel()
    swish_kernel[(triton.cdiv(n, 512),)](x, y, n, BLOCK=512)
    return y
