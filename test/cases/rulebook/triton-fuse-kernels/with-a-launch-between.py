#@case {"kernel": "shift"}
import torch
import triton
import triton.language as tl


@triton.jit
def shift(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) + 1.0, mask=i < n)  #@ globalLoadRequests=100 globalStoreRequests=100


@triton.jit
def double(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2.0, mask=i < n)


@triton.jit
def times(x, y, z, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(z + i, tl.load(x + i, mask=i < n) * tl.load(y + i, mask=i < n), mask=i < n)


def run(x):
    n = x.numel()
    grid = (triton.cdiv(n, 1024),)
    first = torch.empty_like(x)
    second = torch.empty_like(x)
    out = torch.empty_like(x)
    shift[grid](x, first, n, BLOCK=1024)
    double[grid](x, second, n, BLOCK=1024)
    times[grid](first, second, out, n, BLOCK=1024)
    return out
