#@case {"kernel": "summed"}
import torch
import triton
import triton.language as tl


@triton.jit
def summed(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, mask=i < n, other=0.0)  #@ globalLoadRequests=40960
    tl.store(y + row, tl.sum(v, axis=0))


def run(x):
    y = torch.empty(x.shape[0], device=x.device)
    summed[(x.shape[0],)](x, y, x.shape[1], BLOCK=1024)
    return y
