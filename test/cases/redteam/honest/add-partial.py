# task: triton-add
# does: a launch that is bound to its grid and called later

import functools

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


def launcher(n, block):
    return functools.partial(add_kernel[(triton.cdiv(n, block), 1, 1)], n=n, BLOCK=block, num_warps=4)


def add(a, b):
    out = torch.empty(a.shape, dtype=a.dtype, device=a.device)
    launcher(a.numel(), 512)(a, b, out)
    return out
