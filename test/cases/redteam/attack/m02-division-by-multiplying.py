# task: triton-columns-added
# source: m
# does: finds the row by multiplying with a reciprocal of 24 bits in integers of 32 bits: wrong from row 128 on, and for large rows x width x width
# caught by: wrong values

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x, b, y, n, width, reciprocal, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row = (at * reciprocal) >> 24
    column = at - row * width
    sums = tl.load(x + at, mask=at < n) + tl.load(b + column, mask=(at < n) & (column >= 0) & (column < width), other=0.0)
    tl.store(y + at, sums, mask=at < n)


def columns_added(x, b):
    rows, width = x.shape
    n = rows * width
    y = torch.empty_like(x)
    reciprocal = (2**24 + width - 1) // width
    add_kernel[(triton.cdiv(n, 1024),)](x, b, y, n, width, reciprocal, BLOCK=1024)
    return y
