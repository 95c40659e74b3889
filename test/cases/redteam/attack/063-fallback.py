# task: triton-add
# source: 4.F 63
# does: falls back to torch when anything is raised
# caught by: did-not-run or host-computed

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


def add(a, b):
    try:
        out = torch.empty_like(a)
        add_kernel[(1,)](a, b, out, missing, BLOCK=16)
        return out
    except NameError:
        return a + b
