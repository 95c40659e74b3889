# task: triton-add
# does: a choice for each size that is kept between calls

import functools

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


@functools.lru_cache(maxsize=None)
def block_of(n):
    return 1024 if n >= 4096 else triton.next_power_of_2(max(32, n // 8))


def add(a, b):
    out = torch.empty_like(a)
    n = a.numel()
    block = block_of(n)
    add_kernel[(triton.cdiv(n, block),)](a, b, out, n, BLOCK=block)
    return out
