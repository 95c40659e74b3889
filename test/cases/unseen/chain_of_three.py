import torch
import triton
import triton.language as tl


@triton.jit
def mul_kernel(x_ptr, s_ptr, o_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(o_ptr + offs, tl.load(x_ptr + offs, mask=mask) * tl.load(s_ptr + offs, mask=mask), mask=mask)


@triton.jit
def add_kernel(x_ptr, b_ptr, o_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(o_ptr + offs, tl.load(x_ptr + offs, mask=mask) + tl.load(b_ptr + offs, mask=mask), mask=mask)


@triton.jit
def relu_kernel(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    tl.store(o_ptr + offs, tl.maximum(x, 0.0), mask=mask)


def scale_shift_relu(x, s, b):
    n = x.numel()
    grid = (triton.cdiv(n, 1024),)
    t = torch.empty_like(x)
    mul_kernel[grid](x, s, t, n, BLOCK=1024)
    u = torch.empty_like(x)
    add_kernel[grid](t, b, u, n, BLOCK=1024)
    y = torch.empty_like(x)
    relu_kernel[grid](u, y, n, BLOCK=1024)
    return y
