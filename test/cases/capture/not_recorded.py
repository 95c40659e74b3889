"""Launches that have no text: one of a tensor of more than 128 MiB, one of a kernel that a function made."""

import torch
import triton
import triton.language as tl


@triton.jit
def first_kernel(x, y, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at))


@triton.jit
def double_kernel(x, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x + at, 2 * tl.load(x + at))


def made():
    @triton.jit
    def inner_kernel(x, BLOCK: tl.constexpr):
        at = tl.arange(0, BLOCK)
        tl.store(x + at, at)

    return inner_kernel


y = torch.empty(64, dtype=torch.int32, device="cuda")
made()[(1,)](y, 64)
double_kernel[(1,)](y, 64)
first_kernel[(1,)](torch.empty((1 << 25) + 1, dtype=torch.int32, device="cuda"), y, 64)
