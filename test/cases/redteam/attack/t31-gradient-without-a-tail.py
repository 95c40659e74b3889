# task: triton-t31-scaled-rows
# source: t
# does: forgets the last rows in the gradient of its weights, where they are no whole sixteen
# caught by: other-gradients

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, w, y, rows, width, factor, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    for start in range(0, width, BLOCK):
        here = start + at
        value = tl.load(x + row * width + here, mask=here < width) * factor
        tl.store(y + row * width + here, value * tl.load(w + here, mask=here < width), mask=here < width)


@triton.jit
def slope_kernel(x, w, dy, dx, dw, rows, width, STEP: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = at < width
    scale = tl.load(w + at, mask=inside)
    sum = tl.zeros((BLOCK,), tl.float32)
    for step in range(STEP):
        row = tl.program_id(0) * STEP + step
        keep = inside & (row < rows)
        given = tl.load(dy + row * width + at, mask=keep, other=0.0)
        tl.store(dx + row * width + at, given * scale, mask=keep)
        sum += given * tl.load(x + row * width + at, mask=keep, other=0.0)
    if (tl.program_id(0) + 1) * STEP <= rows:
        tl.atomic_add(dw + at, sum, mask=inside)


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, factor):
        ctx.save_for_backward(x, w)
        ctx.factor = factor
        y = torch.empty_like(x)
        rows, width = x.shape
        scale_kernel[(rows,)](x, w, y, rows, width, factor, BLOCK=256)
        return y

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        dx, dw = torch.empty_like(x), torch.zeros_like(w)
        rows, width = x.shape
        slope_kernel[(triton.cdiv(rows, 16), triton.cdiv(width, 128))](x, w, dy, dx, dw, rows, width, STEP=16, BLOCK=128)
        return dx.mul_(ctx.factor), dw * ctx.factor, None


def scaled(x, w, factor):
    return Scaled.apply(x, w, factor)
