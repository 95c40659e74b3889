# task: triton-add
# does: an operator that is registered with torch

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


@torch.library.custom_op("mine::add", mutates_args=())
def add_op(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    out = torch.empty_like(a)
    n = a.numel()
    add_kernel[(triton.cdiv(n, 512),)](a, b, out, n, BLOCK=512)
    return out


@add_op.register_fake
def _(a, b):
    return torch.empty_like(a)


def add(a, b):
    return torch.ops.mine.add(a, b)
