#@case {"kernel": "shift"}
import torch
import triton
import triton.language as tl


@triton.jit
def shift(x, y, width, by=1.0, WIDTH: tl.constexpr = 32):
    x += tl.program_id(0) * width
    y += tl.program_id(0) * width
    i = tl.arange(0, WIDTH)
    sign = tl.load(x)
    total = 0.0
    for step in range(2):
        total += tl.sum(tl.load(x + i, i < width))  #@ globalLoadRequests=4096 globalBytesRequested=262144
    tl.store(y + i, tl.load(x + i, mask=i < width) + by * sign + total, mask=i < width)


def run(x):
    y = torch.empty_like(x)
    shift[(x.shape[0],)](x, y, x.shape[1])
    return y
