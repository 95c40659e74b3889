#@case {"kernel": "lift_kernel"}
import torch
import triton
import triton.language as tl


@triton.jit
def lift_kernel(x_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)  #@ globalLoadSectors=4096
    tl.store(x_ptr + at, x + 1.0, mask=at < n)


def lift(x):
    y = x.clone()
    lift_kernel[(triton.cdiv(x.numel(), 1024),)](y, x.numel(), BLOCK=1024)
    y.requires_grad_(False)
    return y


def lifted_into(x, out):
    out.copy_(lift(x))
