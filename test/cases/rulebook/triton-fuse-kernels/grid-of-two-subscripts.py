#@case {"kernel": "second"}
import torch
import triton
import triton.language as tl


@triton.jit
def first(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, 2 * tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit
def second(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, 1 + tl.load(x + i, mask=i < n), mask=i < n)  #@ globalStoreRequests=1024


def both(x):
    t, y = torch.empty_like(x), torch.empty_like(x)
    blocks = triton.cdiv(x.numel(), 256)
    first[blocks, 1](x, t, x.numel(), BLOCK=256)
    second[blocks, 1](t, y, x.numel(), BLOCK=256)
    return y
