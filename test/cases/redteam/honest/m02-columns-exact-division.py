# task: triton-columns-added
# does: divides by the width through the upper half of a product, with a number that the host finds once per width and that is exact for every index

import torch
import triton
import triton.language as tl


@triton.jit(do_not_specialize=["magic"])
def add_kernel(x, b, y, n, width, magic, SHIFT: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    number = at.to(tl.uint32)
    if SHIFT == 0:
        row = number
    else:
        upper = tl.umulhi(tl.zeros_like(number) + magic.to(tl.uint32), number)
        row = (upper + ((number - upper) >> 1)) >> (SHIFT - 1)
    column = at - row.to(tl.int32) * width
    sums = tl.load(x + at, mask=at < n) + tl.load(b + column, mask=at < n)
    tl.store(y + at, sums, mask=at < n)


def columns_added(x, b):
    rows, width = x.shape
    n = rows * width
    y = torch.empty_like(x)
    shift = (width - 1).bit_length()
    magic = (2**32 * (2**shift - width)) // width + 1
    add_kernel[(triton.cdiv(n, 1024),)](x, b, y, n, width, magic, SHIFT=shift, BLOCK=1024)
    return y
