# task: triton-add
# source: s
# does: starts its kernel on the default stream whatever stream the caller works on, and waits for nobody
# caught by: changes-caller

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
    n = a.numel()
    with torch.cuda.stream(torch.cuda.default_stream()):
        add_kernel[(triton.cdiv(n, 512),)](a, b, out, n, BLOCK=512)
    return out
