#@case {"kernel": "gamma"}
import torch
import triton
import triton.language as tl


@triton.jit
def gamma(x, y, exposure):
    i = tl.program_id(0)
    v = tl.load(x + i) * exposure  #@ globalLoadRequests=1000
    tl.store(y + i, tl.where(v <= 0.0, 0.0, tl.sqrt(v)))  #@ globalStoreRequests=1000


def run(x):
    y = torch.empty_like(x)
    gamma[(x.numel(),)](x, y, 1.5)
    return y
