import torch
import triton
import triton.language as tl


@triton.jit
def clip_kernel(x, y, n, low, high, BLOCK: tl.constexpr):
    """Keeps what is no number as it is."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n)
    value = tl.where(value < low, low, value)
    value = tl.where(value > high, high, value)
    tl.store(y + at, value, mask=at < n)


def clipped(x):
    y = torch.empty_like(x)
    n = x.numel()
    clip_kernel[(triton.cdiv(n, 64),)](x, y, n, -1.0, 1.0, BLOCK=64)
    return y
