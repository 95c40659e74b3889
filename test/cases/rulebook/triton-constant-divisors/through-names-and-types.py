#@case {"kernel": "pool"}
import torch
import triton
import triton.language as tl


@triton.jit
def pool(x, y, C: tl.int32, H: tl.int32, W: tl.int32, total, scale=1.0, BLOCK: tl.constexpr = 256):
    i = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    plane = H * W
    volume = C * plane
    n = i // volume  #@ instructions=2000
    i %= volume  #@ instructions=2000
    tl.store(y + n * volume + i, tl.load(x + n + i, mask=i < total) * scale, mask=i < total)  #@ instructions=1000


def run(x):
    n, c, h, w = x.shape
    y = torch.empty_like(x)
    pool[(triton.cdiv(y.numel(), 256),)](x, y, c, h, w, y.numel())
    return y
