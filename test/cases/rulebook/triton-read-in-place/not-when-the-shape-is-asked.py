#@case {"kernel": "add_kernel"}
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, b_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)  #@ globalLoadSectors=4096
    b = tl.load(b_ptr + at, mask=at < n)
    tl.store(y_ptr + at, x + b, mask=at < n)


def add(x, b):
    b = b.repeat_interleave(4, dim=0)
    assert b.shape == x.shape
    y = torch.empty_like(x)
    add_kernel[(triton.cdiv(x.numel(), 1024),)](x, b, y, x.numel(), BLOCK=1024)
    return y
