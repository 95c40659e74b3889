#@case {"kernel": "power_kernel"}
import torch
import triton
import triton.language as tl


@triton.jit
def power_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)  #@ globalLoadSectors=4096
    tl.store(y_ptr + at, x * x, mask=at < n)


def power(x):
    x = x.float()
    y = torch.empty_like(x)
    power_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
    return y
