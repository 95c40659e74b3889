import torch
import triton
import triton.language as tl


@triton.jit
def largest_kernel(x, parts, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + at, mask=at < n, other=0.0)
    # What is no number has no amount.
    tl.store(parts + tl.program_id(0), tl.max(tl.where(values == values, tl.abs(values), 0.0), axis=0))


@triton.jit
def scale_kernel(parts, scale, count, BLOCK: tl.constexpr):
    largest = 0.0
    for start in range(0, count, BLOCK):
        at = start + tl.arange(0, BLOCK)
        largest = tl.maximum(largest, tl.max(tl.load(parts + at, mask=at < count, other=0.0), axis=0))
    tl.store(scale, tl.where(largest > 0.0, largest / 127.0, 1.0))


@triton.jit
def quantise_kernel(x, scale, q, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.floor(tl.load(x + at, mask=at < n, other=0.0) / tl.load(scale) + 0.5)
    tl.store(q + at, tl.minimum(tl.maximum(value, -127.0), 127.0).to(tl.int8), mask=at < n)


def quantised(x):
    n = x.numel()
    count = triton.cdiv(n, 128)
    parts = torch.empty((count,), dtype=torch.float32, device=x.device)
    scale = torch.empty((1,), dtype=torch.float32, device=x.device)
    q = torch.empty((n,), dtype=torch.int8, device=x.device)
    largest_kernel[(count,)](x, parts, n, BLOCK=128)
    scale_kernel[(1,)](parts, scale, count, BLOCK=64)
    quantise_kernel[(count,)](x, scale, q, n, BLOCK=128)
    return q, scale
