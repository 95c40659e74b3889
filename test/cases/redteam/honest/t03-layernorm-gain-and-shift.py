# task: triton-layernorm
# does: scale and shift of a row in one multiply-add each, with rsqrt, and squares of what is off the mean

import torch
import triton
import triton.language as tl


@triton.jit
def normalise_kernel(x, weight, bias, y, width, part, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < width
    values = tl.load(x + row * width + at, mask=inside, other=0.0)
    mean = tl.sum(values) * part
    off = tl.where(inside, values - mean, 0.0)
    scale = tl.rsqrt(tl.sum(off * off) * part + 1e-5)
    gain = tl.load(weight + at, mask=inside, other=0.0) * scale
    shift = tl.load(bias + at, mask=inside, other=0.0) - mean * gain
    tl.store(y + row * width + at, tl.fma(values, gain, shift), mask=inside)


def normalised(x, weight, bias):
    rows, width = x.shape
    y = torch.empty_like(x)
    block = triton.next_power_of_2(width)
    normalise_kernel[(rows,)](x, weight, bias, y, width, 1.0 / width, BLOCK=block, num_warps=2)
    return y
