"""Sums into memory that nobody has cleared; what torch or numpy wrote is not told."""
import torch

import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, total_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    before = tl.load(total_ptr)
    tl.store(total_ptr, before + tl.sum(x, axis=0))


@triton.jit
def copy_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(y_ptr + offsets, tl.load(x_ptr + offsets, mask=offsets < n), mask=offsets < n)


x = torch.empty(100)
x[:] = 1.0
sum_kernel[(1, )](x, torch.empty(4), 100, BLOCK=128)
cleared = x.new_empty(3).zero_()
sum_kernel[(1, )](x, cleared, 100, BLOCK=128)
print("cleared", cleared.tolist())

part, whole = torch.empty(64), torch.empty(64)
part[:32] = torch.arange(32)
copy_kernel[(1, )](part, whole, 32, BLOCK=64)
part.numpy()[32:] = 7
copy_kernel[(1, )](part, whole, 64, BLOCK=64)
copy_kernel[(1, )](whole, part, 64, BLOCK=64)
print("whole", whole[31:34].tolist())
