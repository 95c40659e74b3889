#@case {"kernel": "shift"}
import torch
import triton
import triton.language as tl


@triton.jit
def shift(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) + 1.0, mask=i < n)  #@ globalLoadRequests=100 globalStoreRequests=100


@triton.jit
def turn(y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(y + (n - 1 - i), mask=i < n)
    tl.debug_barrier()
    tl.store(y + i, v, mask=i < n)


@triton.jit
def double(y, z, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(z + i, tl.load(y + i, mask=i < n) * 2.0, mask=i < n)


def run(x):
    n = x.numel()
    y, z = torch.empty_like(x), torch.empty_like(x)
    shift[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    turn[(1,)](y, n, BLOCK=triton.next_power_of_2(n))
    double[(triton.cdiv(n, 1024),)](y, z, n, BLOCK=1024)
    return z
