import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, w, y, rows, width, factor, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    for start in range(0, width, BLOCK):
        at = start + tl.arange(0, BLOCK)
        value = tl.load(x + row * width + at, mask=at < width) * factor
        tl.store(y + row * width + at, value * tl.load(w + at, mask=at < width), mask=at < width)


@triton.jit
def slope_kernel(x, w, dy, dx, parts, rows, width, factor, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    for start in range(0, width, BLOCK):
        at = start + tl.arange(0, BLOCK)
        given = tl.load(dy + row * width + at, mask=at < width) * factor
        tl.store(dx + row * width + at, given * tl.load(w + at, mask=at < width), mask=at < width)
        value = tl.load(x + row * width + at, mask=at < width)
        tl.store(parts + row * width + at, given * value, mask=at < width)


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, factor):
        ctx.save_for_backward(x, w)
        ctx.factor = factor
        y = torch.empty_like(x)
        rows, width = x.shape
        scale_kernel[(rows,)](x, w, y, rows, width, factor, BLOCK=64)
        return y

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        dx, parts = torch.empty_like(x), torch.empty_like(x)
        rows, width = x.shape
        slope_kernel[(rows,)](x, w, dy, dx, parts, rows, width, ctx.factor, BLOCK=64)
        return dx, parts.sum(0), None


def scaled(x, w, factor):
    return Scaled.apply(x, w, factor)
