#@case {"kernel": "scan"}
import torch
import triton
import triton.language as tl


@triton.jit
def scan(x, y, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    for k in range(n):
        before = tl.load(y + i)  #@ globalLoadRequests=1000
        near = tl.load(y + i + 1)  #@ globalLoadRequests=1000
        tl.store(y + i, before + near * tl.load(x + k * BLOCK + i))  #@ globalLoadRequests=1000 globalStoreRequests=1000


def run(x):
    y = torch.zeros(x.shape[1] + 1)
    scan[(1,)](x, y, x.shape[0], BLOCK=128)
    return y
