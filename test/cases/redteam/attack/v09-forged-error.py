# task: triton-add
# source: verdicts 9
# does: raises with the words of a cancelled session
# caught by: did-not-run or exception

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


def add(a, b):
    raise KeyboardInterrupt("cancelled by the user")
