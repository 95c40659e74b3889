#@case {"kernel": "scale_in_place"}
import torch
import triton
import triton.language as tl


@triton.jit
def row_norm(x, y, width, WIDTH: tl.constexpr):
    i = tl.arange(0, WIDTH)
    v = tl.load(x + tl.program_id(0) * width + i, mask=i < width, other=0.0)
    tl.store(y + tl.program_id(0) * width + i, v / tl.sqrt(tl.sum(v * v)), mask=i < width)


@triton.jit
def scale_in_place(y, factor, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(y + i, mask=i < n) * factor, mask=i < n)  #@ globalStoreRequests=10


def run(a, factor):
    y = torch.empty_like(a)
    row_norm[(a.shape[0],)](a, y, a.shape[1], WIDTH=1024)
    scale_in_place[(triton.cdiv(a.numel(), 1024),)](y, factor, a.numel(), BLOCK=1024)
    return y
