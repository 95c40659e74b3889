#@case {"kernel": "total"}
import torch
import triton
import triton.language as tl


@triton.jit
def total(x, y, width, BLOCK: tl.constexpr):
    part = tl.zeros((BLOCK,), dtype=tl.float32)
    i = tl.arange(0, BLOCK)
    for start in range(0, width, BLOCK):
        part += tl.load(x + i, mask=i < width, other=0.0)  #@ globalLoadRequests=1000
        i += BLOCK
    tl.store(y, tl.sum(part))


def run(x):
    y = torch.empty(1)
    total[(1,)](x, y, x.shape[0], BLOCK=128)
    return y
