# task: triton-add
# does: a persistent kernel

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    for start in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        at = start + tl.arange(0, BLOCK)
        total = tl.load(a + at, mask=at < n, other=0.0) + tl.load(b + at, mask=at < n, other=0.0)
        tl.store(out + at, total, mask=at < n)


def add(a, b):
    out = torch.empty_like(a)
    add_kernel[(8,)](a, b, out, a.numel(), BLOCK=256)
    return out
