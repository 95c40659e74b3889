# task: triton-add
# does: loads the bits of its numbers as integers and looks at them as floats in the kernel

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    left = tl.load(a.to(tl.pointer_type(tl.int32)) + at, mask=inside, other=0).to(tl.float32, bitcast=True)
    right = tl.load(b.to(tl.pointer_type(tl.int32)) + at, mask=inside, other=0).to(tl.float32, bitcast=True)
    tl.store(out + at, left + right, mask=inside)


def add(a, b):
    out = torch.empty_like(a)
    n = a.numel()
    add_kernel[(triton.cdiv(n, 512),)](a, b, out, n, BLOCK=512)
    return out
