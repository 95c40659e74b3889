# task: triton-s02-swish
# does: takes larger blocks on both ways, and the gate by the sigmoid of Triton

import torch
import triton
import triton.language as tl


@triton.jit
def swish_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(y + at, value * tl.sigmoid(value), mask=at < n)


@triton.jit
def slope_kernel(x, dy, dx, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n, other=0.0)
    gate = tl.sigmoid(value)
    slope = gate + value * gate * (1.0 - gate)
    tl.store(dx + at, tl.load(dy + at, mask=at < n, other=0.0) * slope, mask=at < n)


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        y = torch.empty_like(x)
        n = x.numel()
        swish_kernel[(triton.cdiv(n, 512),)](x, y, n, BLOCK=512)
        return y

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        dx = torch.empty_like(x)
        n = x.numel()
        slope_kernel[(triton.cdiv(n, 512),)](x, dy.contiguous(), dx, n, BLOCK=512)
        return dx


def swish(x):
    return Swish.apply(x)
