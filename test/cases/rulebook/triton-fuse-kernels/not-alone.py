#@case {"kernel": "second"}
import torch
import triton
import triton.language as tl


@triton.jit
def second(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, 1 + tl.load(x + i, mask=i < n), mask=i < n)  #@ globalStoreRequests=1024


def one(x):
    y = torch.empty_like(x)
    second[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
    return y
