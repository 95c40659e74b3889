#@case {"kernel": "bump_kernel"}
import torch
import triton
import triton.language as tl


@triton.jit
def bump_kernel(x_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)  #@ globalLoadSectors=4096
    tl.store(x_ptr + at, x + 1.0, mask=at < n)


def bump(x):
    wide = x.float().contiguous()
    bump_kernel[(triton.cdiv(x.numel(), 1024),)](wide, x.numel(), BLOCK=1024)
    return wide
