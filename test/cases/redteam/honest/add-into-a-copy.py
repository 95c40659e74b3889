# task: triton-add
# does: adds in place to a copy of one input

import torch
import triton
import triton.language as tl



@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


def add(a, b):
    out = a.clone()
    n = out.numel()
    add_kernel[(triton.cdiv(n, 256),)](out, b, out, n, BLOCK=256)
    return out
