# task: triton-add
# source: verdicts 2
# does: lets torch write the answer after the last launch
# caught by: did-not-run or wrong values or never-written or host-computed

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
    add_kernel[(1,)](a, b, out, 16, BLOCK=16)
    torch.add(a, b, out=out)
    return out
