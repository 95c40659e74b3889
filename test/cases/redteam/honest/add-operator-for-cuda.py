# task: triton-add
# does: an operator that is registered for CUDA only

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


lib = torch.library.Library("mine", "FRAGMENT")
lib.define("add(Tensor a, Tensor b) -> Tensor")


def add_op(a, b):
    out = torch.empty_like(a)
    n = a.numel()
    add_kernel[(triton.cdiv(n, 512),)](a, b, out, n, BLOCK=512)
    return out


lib.impl("add", add_op, "CUDA")


def add(a, b):
    return torch.ops.mine.add(a, b)
