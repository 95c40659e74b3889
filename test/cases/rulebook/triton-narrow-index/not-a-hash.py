#@case {"kernel": "noise"}
import torch
import triton
import triton.language as tl


@triton.jit
def noise(y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    h = i.to(tl.int64) * 6364136223846793005  #@ instructions=2000
    tl.store(y + i, (h >> 33).to(tl.int32), mask=i < n)  #@ instructions=2000 globalStoreRequests=3


def run(x):
    y = torch.empty_like(x)
    noise[(triton.cdiv(x.numel(), 256),)](y, x.numel(), BLOCK=256)
    return y
