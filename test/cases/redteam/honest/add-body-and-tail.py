# task: triton-add
# does: another kernel for whole blocks, the known one for the rest of a size

import torch
import triton
import triton.language as tl


@triton.jit
def body_kernel(a, b, out, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    at = tl.max_contiguous(tl.multiple_of(at, BLOCK), BLOCK)
    tl.store(out + at, tl.load(a + at, cache_modifier=".cg") + tl.load(b + at, eviction_policy="evict_first"))


@triton.jit
def add_kernel(a, b, out, first, n, BLOCK: tl.constexpr):
    at = first + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(a + at, mask=at < n) + tl.load(b + at, mask=at < n), mask=at < n)


def add(a, b):
    out = torch.empty_like(a)
    n = a.numel()
    blocks = n // 512
    if blocks:
        body_kernel[(blocks,)](a, b, out, BLOCK=512)
    if n % 512:
        add_kernel[(1,)](a, b, out, blocks * 512, n, BLOCK=512)
    return out
