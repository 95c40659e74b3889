#@case {"kernel": "norms"}
import torch
import triton
import triton.language as tl


@triton.jit
def length(v):
    return tl.sqrt(tl.sum(v * v))


@triton.jit
def norms(x, y, width, WIDTH: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, WIDTH)
    v = tl.load(x + row * width + i, mask=i < width, other=0.0)  #@ globalLoadRequests=4096 globalBytesRequested=262144
    tl.store(y + row, length(v))


def run(x):
    y = torch.empty(x.shape[0])
    norms[(x.shape[0],)](x, y, x.shape[1], WIDTH=32)
    return y
