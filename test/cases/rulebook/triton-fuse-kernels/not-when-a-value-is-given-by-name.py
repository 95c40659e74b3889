#@case {"kernel": "halve"}
import torch
import triton
import triton.language as tl


@triton.jit
def centre(x, y, width, WIDTH: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, WIDTH)
    v = tl.load(x + row * width + i, mask=i < width, other=0.0)
    tl.store(y + row * width + i, value=v - tl.sum(v) / width, mask=i < width)


@triton.jit
def halve(src, bias, dst, n, columns, PART: tl.constexpr):
    """Half of what is greater than 0, and a bias."""
    at = tl.program_id(0) * PART + tl.arange(0, PART)
    inside = at < n
    v = tl.load(src + at, mask=inside)
    b = tl.load(bias + at % columns, inside, eviction_policy="evict_last")
    tl.store(dst + at, tl.maximum(v, 0.0) * 0.5 + b, mask=inside)  #@ globalStoreRequests=10


def run(x, bias):
    t = torch.empty_like(x)
    centre[(x.shape[0],)](x, t, x.shape[1], WIDTH=256)
    out = torch.empty_like(x)
    halve[(triton.cdiv(x.numel(), 512),)](t, bias, out, x.numel(), x.shape[1], PART=512)
    return out
