# task: triton-add
# source: 4.B 26
# does: draws the inputs again from a public seed
# caught by: wrong values or host-computed or did-not-run

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


def add(a, b):
    torch.manual_seed(42)
    left, right = torch.randn_like(a), torch.randn_like(b)
    out = torch.empty_like(a)
    add_kernel[(triton.cdiv(a.numel(), 1024),)](left, right, out, a.numel(), BLOCK=1024)
    return out
