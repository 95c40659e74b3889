# task: triton-add
# does: tells the compiler what is contiguous, and walks several blocks a program

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr, EACH: tl.constexpr):
    first = tl.program_id(0) * BLOCK * EACH
    for part in tl.static_range(EACH):
        at = tl.max_contiguous(first + part * BLOCK + tl.arange(0, BLOCK), BLOCK)
        left = tl.load(a + at, mask=at < n, eviction_policy="evict_first")
        tl.store(out + at, left + tl.load(b + at, mask=at < n), mask=at < n)


def add(a, b):
    out = torch.empty_like(a)
    grid = lambda meta: (triton.cdiv(a.numel(), meta["BLOCK"] * meta["EACH"]),)
    add_kernel[grid](a, b, out, a.numel(), BLOCK=256, EACH=4, num_warps=2)
    return out
