import torch
import triton
import triton.language as tl

BLOCK = 64


@triton.jit
def swiglu_split_fwd(h_ptr, o_ptr, d, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    part = tl.program_id(1)
    cols = part * BLOCK + tl.arange(0, BLOCK)
    keep = cols < d
    a = tl.load(h_ptr + row * 2 * d + cols, mask=keep)
    b = tl.load(h_ptr + row * 2 * d + d + cols, mask=keep)
    tl.store(o_ptr + row * d + cols, a * tl.sigmoid(a) * b, mask=keep)


class SwiGLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h):
        rows, two_d = h.shape
        d = two_d // 2
        o = h.new_empty((rows, d))
        swiglu_split_fwd[(rows, triton.cdiv(d, BLOCK))](h, o, d, BLOCK=BLOCK)
        return o


def swiglu(h):
    return SwiGLU.apply(h)
