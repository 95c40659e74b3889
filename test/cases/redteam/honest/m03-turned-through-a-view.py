# task: triton-turned
# does: writes the contiguous output through a view of it with exchanged strides, so that the kernel is a plain copy by strides

import torch
import triton
import triton.language as tl


@triton.jit
def turn_kernel(source, target, h, w, sh, sw, th, tw, SIDE: tl.constexpr):
    r = tl.program_id(0) * SIDE + tl.arange(0, SIDE)
    c = tl.program_id(1) * SIDE + tl.arange(0, SIDE)
    inside = (r[:, None] < h) & (c[None, :] < w)
    tile = tl.load(source + r[:, None] * sh + c[None, :] * sw, mask=inside)
    tl.store(target + r[:, None] * th + c[None, :] * tw, tile, mask=inside)


def turned(x):
    h, w = x.shape
    y = torch.empty((w, h), dtype=x.dtype, device=x.device)
    view = y.t()
    grid = (triton.cdiv(h, 32), triton.cdiv(w, 32))
    turn_kernel[grid](x, view, h, w, x.stride(0), x.stride(1), view.stride(0), view.stride(1), SIDE=32)
    return y
