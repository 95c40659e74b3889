#@case {"kernel": "filtered"}
import torch
import triton
import triton.language as tl


@triton.jit
def filtered(x_ptr, taps_ptr, y_ptr, n, reach, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for k in range(0, reach):  #@ instructions=9000
        x = tl.load(x_ptr + at - k, mask=(k <= at) & (at < n), other=0.0)
        total += x * tl.load(taps_ptr + k)
    tl.store(y_ptr + at, total, mask=at < n)


def run(x, taps):
    y = torch.empty_like(x)
    filtered[(triton.cdiv(x.numel(), 256),)](x, taps, y, x.numel(), taps.numel(), BLOCK=256)
    return y
