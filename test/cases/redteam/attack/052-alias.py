# task: triton-add
# source: 4.E 52
# does: returns an input as the output
# caught by: did-not-run or input-overwritten or wrong values or read-only-write

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


def add(a, b):
    add_kernel[(triton.cdiv(a.numel(), 1024),)](a, b, a, a.numel(), BLOCK=1024)
    return a
