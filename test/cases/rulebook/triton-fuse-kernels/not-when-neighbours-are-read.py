#@case {"kernel": "difference"}
import torch
import triton
import triton.language as tl


@triton.jit
def difference(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i + 1, mask=i + 1 < n) - tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit
def smooth(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i + 2, mask=i + 2 < n) + tl.load(x + i, mask=i < n), mask=i < n)  #@ globalStoreRequests=10


def run(x):
    t = torch.empty_like(x)
    y = torch.empty_like(x)
    difference[(triton.cdiv(x.numel(), 256),)](x, t, x.numel(), BLOCK=256)
    smooth[(triton.cdiv(x.numel(), 256),)](t, y, x.numel(), BLOCK=256)
    return y
