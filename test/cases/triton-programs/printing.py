"""Kernels print in the program's own order; a device assertion ends a launch where TRITON_DEBUG asks for it."""
import torch

import triton
import triton.language as tl


@triton.jit
def show_kernel(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0)
    if tl.program_id(0) == 1:
        tl.device_print("value ", x)
    tl.device_assert(x < 62, "a value is too large")


x = torch.arange(64, dtype=torch.int32)
print("before")
show_kernel[(2, )](x, 4, BLOCK=64, num_warps=1)
print("between")
show_kernel[(1, )](x, 64, BLOCK=64, num_warps=1)
print("after")
