# task: triton-s02-swish
# source: t
# does: leaves a term out of its gradient, which is that of the gate alone
# caught by: other-gradients

import torch
import triton
import triton.language as tl


@triton.jit
def swish_kernel(x, y, gate, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n, other=0.0)
    share = 1.0 / (1.0 + tl.exp(-value))
    tl.store(y + at, value * share, mask=at < n)
    tl.store(gate + at, share, mask=at < n)


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y, gate = torch.empty_like(x), torch.empty_like(x)
        n = x.numel()
        swish_kernel[(triton.cdiv(n, 512),)](x, y, gate, n, BLOCK=512)
        ctx.save_for_backward(gate)
        return y

    @staticmethod
    def backward(ctx, dy):
        (gate,) = ctx.saved_tensors
        return dy * gate


def swish(x):
    return Swish.apply(x)
