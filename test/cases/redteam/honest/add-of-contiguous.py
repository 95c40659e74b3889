# task: triton-add
# does: makes its inputs contiguous and flat first

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


def add(a, b):
    a, b = a.contiguous().view(-1), b.contiguous().view(-1)
    out = a.new_empty(a.shape)
    n = a.numel()
    add_kernel[(triton.cdiv(n, 512),)](a, b, out, n, BLOCK=512)
    return out.view(n)
