#@case {"kernel": "total"}
import torch
import triton
import triton.language as tl


@triton.jit
def total(x, y, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    for k in range(n):
        before = tl.load(y + i)  #@ globalLoadRequests=1000
        tl.store(y + i, before + tl.load(x + k * BLOCK + i))  #@ globalLoadRequests=1000 globalStoreRequests=1000


def run(x):
    total[(1,)](x, x, x.shape[0], BLOCK=128)
    return x
