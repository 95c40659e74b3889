#@case {"kernel": "gamma"}
import torch
import triton
import triton.language as tl


@triton.jit
def gamma(x, y, n):
    i = tl.program_id(0)
    if i % 2 == 0:
        tl.store(y + i, tl.load(x + i))  #@ globalLoadRequests=1000 globalStoreRequests=1000


def run(x):
    y = torch.empty_like(x)
    gamma[(x.numel(),)](x, y, x.numel())
    return y
