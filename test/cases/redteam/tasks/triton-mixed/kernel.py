import torch
import triton
import triton.language as tl


@triton.jit
def mix_kernel(x, y, z, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mixed = 0.75 * tl.load(x + at, mask=at < n) + 0.25 * tl.load(y + at, mask=at < n)
    tl.store(z + at, mixed, mask=at < n)


def mixed(x, y):
    n = x.numel()
    z = torch.empty_like(x)
    mix_kernel[(triton.cdiv(n, 128),)](x, y, z, n, BLOCK=128)
    return z
