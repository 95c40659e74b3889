#@case {"kernel": "shift"}
import torch
import triton
import triton.language as tl


@triton.jit
def shift(x, b, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) + tl.load(b), mask=i < n)


@triton.jit
def times(x, y, z, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(z + i, tl.load(x + i, mask=i < n) * tl.load(y + i, mask=i < n), mask=i < n)


def run(x, y, b, c):
    n = x.numel()
    grid = (triton.cdiv(n, 1024),)
    first, second, out = torch.empty_like(x), torch.empty_like(x), torch.empty_like(x)
    shift[grid](x, b, first, n, BLOCK=1024)
    shift[grid](y, c, second, n, BLOCK=1024)
    times[grid](first, second, out, n, BLOCK=1024)
    return out


def alone(x, b):
    out = torch.empty_like(x)
    shift[(triton.cdiv(x.numel(), 256),)](x, b, out, x.numel(), BLOCK=256)
    return out
