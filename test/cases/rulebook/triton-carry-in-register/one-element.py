#@case {"kernel": "total"}
import torch
import triton
import triton.language as tl


@triton.jit
def total(x, y, n):
    row = tl.program_id(0)
    for i in range(n):
        tl.store(y + row, tl.load(y + row) + tl.load(x + row * n + i))  #@ globalLoadRequests=2000 globalStoreRequests=1000


def run(x):
    y = torch.zeros(x.shape[0])
    total[(x.shape[0],)](x, y, x.shape[1])
    return y
