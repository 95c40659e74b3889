# task: triton-add
# source: verdicts 3
# does: asks for more threads than a block may have
# caught by: exception

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


def add(a, b):
    out = torch.empty_like(a)
    add_kernel[(triton.cdiv(a.numel(), 4096),)](a, b, out, a.numel(), BLOCK=4096, num_warps=64)
    return out
