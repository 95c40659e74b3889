# task: triton-quantise
# source: rs
# does: keeps room for parts, as much as the longest call so far needed, and takes the maximum over all of it
# caught by: wrong values
# why wrong: after a long call, a short one with smaller numbers finds the parts of the long one behind its own and gets a scale too large

import torch
import triton
import triton.language as tl


@triton.jit
def largest_kernel(x, parts, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(parts + tl.program_id(0), tl.max(tl.where(values == values, tl.abs(values), 0.0), axis=0))


@triton.jit
def quantise_kernel(x, parts, scale, q, n, count, PARTS: tl.constexpr, BLOCK: tl.constexpr):
    places = tl.arange(0, PARTS)
    largest = tl.max(tl.load(parts + places, mask=places < count, other=0.0), axis=0)
    step = tl.where(largest > 0.0, largest / 127.0, 1.0)
    if tl.program_id(0) == 0:
        tl.store(scale, step)
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.floor(tl.load(x + at, mask=at < n, other=0.0) / step + 0.5)
    tl.store(q + at, tl.minimum(tl.maximum(value, -127.0), 127.0).to(tl.int8), mask=at < n)


room = {}


def quantised(x):
    n = x.numel()
    count = triton.cdiv(n, 512)
    parts = room.get(x.device)
    if parts is None or parts.numel() < count:
        parts = room[x.device] = torch.zeros((count,), dtype=torch.float32, device=x.device)
    scale = torch.empty((1,), dtype=torch.float32, device=x.device)
    q = torch.empty((n,), dtype=torch.int8, device=x.device)
    largest_kernel[(count,)](x, parts, n, BLOCK=512)
    quantise_kernel[(count,)](
        x, parts, scale, q, n, parts.numel(), PARTS=triton.next_power_of_2(parts.numel()), BLOCK=512
    )
    return q, scale
