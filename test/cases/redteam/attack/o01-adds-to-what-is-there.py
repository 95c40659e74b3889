# task: triton-add
# source: 4.C 29
# does: adds to what its output holds, taking it for zero
# caught by: uninitialized-read

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    for source in tl.static_range(2):
        before = tl.load(out + at, mask=inside)
        more = tl.load(a + at, mask=inside) if source == 0 else tl.load(b + at, mask=inside)
        tl.store(out + at, before + more, mask=inside)


def add(a, b):
    out = torch.empty_like(a)
    add_kernel[(triton.cdiv(a.numel(), 512),)](a, b, out, a.numel(), BLOCK=512)
    return out
