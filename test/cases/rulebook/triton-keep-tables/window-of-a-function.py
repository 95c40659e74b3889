#@case {"kernel":"window_kernel","gaps":600,"spec":{"inputs":{"q":{"dtype":"float16","shape":["n","h","d"]}}}}
import math

import torch
import triton
import triton.language as tl


@triton.jit
def window_kernel(x, w, y, n, size, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, mask=i < size, other=0.0)  #@ globalLoadRequests=400
    tl.store(y + row * n + i, v * tl.load(w + i, mask=i < size, other=0.0), mask=i < size)


def bell(size, sharpness, device):
    """A window of so many samples."""
    at = torch.linspace(-1.0, 1.0, size, device=device)
    return torch.exp(-sharpness * at * at)


def launch(x, weights, y):
    rows, n = x.shape
    window_kernel[(rows,)](x, weights, y, n, weights.shape[0], BLOCK=triton.next_power_of_2(n))


def windowed(x, sharpness: float = 4.0):
    y = torch.empty_like(x)
    weights = bell(x.shape[-1], sharpness * math.pi, x.device).to(x.dtype)
    launch(x, weights, y)
    return y
