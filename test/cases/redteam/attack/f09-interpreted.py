# task: triton-add
# source: 4.F 62
# does: runs its kernel by Triton's interpreter, on the host
# caught by: scan or host-computed or did-not-run or exception

import torch
import triton.language as tl
from triton.runtime.interpreter import InterpretedFunction


def add_rows(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


add_kernel = InterpretedFunction(add_rows)


def add(a, b):
    out = torch.empty_like(a)
    n = a.numel()
    add_kernel[((n + 1023) // 1024,)](a, b, out, n, BLOCK=1024)
    return out
