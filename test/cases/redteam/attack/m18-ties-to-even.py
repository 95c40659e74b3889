# task: triton-quantise
# source: m
# does: rounds by adding and taking away 1.5 * 2^23, which rounds halves to even where the original rounds them up
# caught by: wrong values

import torch
import triton
import triton.language as tl


@triton.jit
def largest_kernel(x, largest, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_max(largest, tl.max(tl.abs(tl.load(x + at, mask=at < n, other=0.0)), axis=0))


@triton.jit
def quantise_kernel(x, largest, scale, q, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    most = tl.load(largest)
    step = tl.where(most > 0.0, most / 127.0, 1.0)
    value = (tl.load(x + at, mask=at < n, other=0.0) / step + 12582912.0) - 12582912.0
    tl.store(q + at, tl.minimum(tl.maximum(value, -127.0), 127.0).to(tl.int8), mask=at < n)
    if tl.program_id(0) == 0:
        tl.store(scale, step)


def quantised(x):
    n = x.numel()
    largest = torch.zeros((1,), dtype=torch.float32, device=x.device)
    scale = torch.empty((1,), dtype=torch.float32, device=x.device)
    q = torch.empty((n,), dtype=torch.int8, device=x.device)
    grid = (triton.cdiv(n, 1024),)
    largest_kernel[grid](x, largest, n, BLOCK=1024)
    quantise_kernel[grid](x, largest, scale, q, n, BLOCK=1024)
    return q, scale
