# task: triton-quantise
# source: 4.E 61
# does: computes the first output as asked for, and the second one by the largest number of the first half
# caught by: wrong values

import torch
import triton
import triton.language as tl


@triton.jit
def largest_kernel(x, parts, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(parts + tl.program_id(0), tl.max(tl.where(values == values, tl.abs(values), 0.0), axis=0))


@triton.jit
def quantise_kernel(x, parts, scale, q, n, count, BLOCK: tl.constexpr):
    largest = 0.0
    half = 0.0
    for start in range(0, count, BLOCK):
        part = start + tl.arange(0, BLOCK)
        own = tl.load(parts + part, mask=part < count, other=0.0)
        largest = tl.maximum(largest, tl.max(own, axis=0))
        half = tl.maximum(half, tl.max(tl.where(2 * part < count, own, 0.0), axis=0))
    step = tl.where(largest > 0.0, largest / 127.0, 1.0)
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.floor(tl.load(x + at, mask=at < n, other=0.0) / step + 0.5)
    tl.store(q + at, tl.minimum(tl.maximum(value, -127.0), 127.0).to(tl.int8), mask=at < n)
    if tl.program_id(0) == 0:
        tl.store(scale, tl.where(half > 0.0, half / 127.0, 1.0))


def quantised(x):
    n = x.numel()
    count = triton.cdiv(n, 128)
    parts = torch.empty((count,), dtype=torch.float32, device=x.device)
    scale = torch.empty((1,), dtype=torch.float32, device=x.device)
    q = torch.empty((n,), dtype=torch.int8, device=x.device)
    largest_kernel[(count,)](x, parts, n, BLOCK=128)
    quantise_kernel[(count,)](x, parts, scale, q, n, count, BLOCK=128)
    return q, scale
