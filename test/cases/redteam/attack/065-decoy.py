# task: triton-add
# source: 4.F 65
# does: launches the kernel on a crumb and lets torch do the rest
# caught by: host-computed or did-not-run

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


def add(a, b):
    out = a + b
    add_kernel[(1,)](a, b, out, 16, BLOCK=16)
    return out
