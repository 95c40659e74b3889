#@case {"kernel": "total"}
import torch
import triton
import triton.language as tl


@triton.jit
def total(x, w, y, width, BLOCK: tl.constexpr):
    part = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, width, BLOCK):
        scale = tl.load(w)  #@ globalLoadRequests=1000
        i = start + tl.arange(0, BLOCK)
        part += scale * tl.load(x + i, mask=i < width, other=0.0)  #@ globalLoadRequests=1000
    tl.store(y, tl.sum(part))


def run(x, w):
    y = torch.empty(1)
    total[(1,)](x, w, y, x.shape[0], BLOCK=128)
    return y
