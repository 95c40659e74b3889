# task: triton-quantise
# does: takes the largest amount atomically as bits without their sign, whose order is that of the amounts, in place of a pass of its own

import torch
import triton
import triton.language as tl


@triton.jit
def largest_kernel(x, bits, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    # Without their sign, floats are in the order of their bits; zero bits are the amount zero.
    values = tl.load(x + at, mask=at < n, other=0.0)
    mine = tl.where(values == values, values.to(tl.int32, bitcast=True) & 0x7FFFFFFF, 0)
    tl.atomic_max(bits, tl.max(mine, axis=0), sem="relaxed")


@triton.jit
def quantise_kernel(x, bits, scale, q, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    largest = tl.load(bits).to(tl.float32, bitcast=True)
    step = tl.where(largest > 0.0, largest / 127.0, 1.0)
    if tl.program_id(0) == 0:
        tl.store(scale, step)
    value = tl.floor(tl.load(x + at, mask=at < n, other=0.0) / step + 0.5)
    tl.store(q + at, tl.minimum(tl.maximum(value, -127.0), 127.0).to(tl.int8), mask=at < n)


def quantised(x):
    n = x.numel()
    bits = torch.zeros((1,), dtype=torch.int32, device=x.device)
    scale = torch.empty((1,), dtype=torch.float32, device=x.device)
    q = torch.empty((n,), dtype=torch.int8, device=x.device)
    grid = (triton.cdiv(n, 512),)
    largest_kernel[grid](x, bits, n, BLOCK=512)
    quantise_kernel[grid](x, bits, scale, q, n, BLOCK=512)
    return q, scale
