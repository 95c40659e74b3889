# task: triton-add
# source: 4.F 62
# does: torch computes and the kernel copies
# caught by: host-computed

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(a, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(a + at, mask=at < n), mask=at < n)


def add(a, b):
    s = a + b
    out = torch.empty_like(a)
    add_kernel[(triton.cdiv(a.numel(), 1024),)](s, out, a.numel(), BLOCK=1024)
    return out
