# task: triton-turned
# source: m
# does: copies the matrix as it is and returns the copy with its strides exchanged: right values, but not the contiguous rows asked for; whoever reads them does the work
# caught by: other-layout

import torch
import triton
import triton.language as tl


@triton.jit
def turn_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < n), mask=at < n)


def turned(x):
    h, w = x.shape
    y = torch.empty_strided((w, h), (1, w), dtype=x.dtype, device=x.device)
    turn_kernel[(triton.cdiv(h * w, 1024),)](x, y, h * w, BLOCK=1024)
    return y
