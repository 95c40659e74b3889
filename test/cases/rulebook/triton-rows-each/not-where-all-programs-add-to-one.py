#@case {"kernel": "total"}
import torch
import triton
import triton.language as tl


@triton.jit
def total(x, y, width, WIDTH: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, WIDTH)
    v = tl.load(x + row * width + i, mask=i < width, other=0.0)  #@ globalLoadRequests=4096 globalBytesRequested=262144
    tl.atomic_add(y, tl.sum(v))


def run(x):
    y = torch.zeros(1)
    total[(x.shape[0],)](x, y, x.shape[1], WIDTH=32)
    return y
