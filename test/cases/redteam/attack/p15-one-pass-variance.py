# task: triton-layernorm
# source: p
# does: takes the square of the mean from the mean of the squares, of which little is left where a row lies far from zero
# caught by: wrong values

import torch
import triton
import triton.language as tl


@triton.jit
def normalise_kernel(x, weight, bias, y, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < width
    values = tl.load(x + row * width + at, mask=inside, other=0.0)
    mean = tl.sum(values) / width
    variance = tl.maximum(tl.sum(values * values) / width - mean * mean, 0.0)
    scale = 1.0 / tl.sqrt(variance + 1e-5)
    gain = tl.load(weight + at, mask=inside, other=0.0)
    value = (values - mean) * scale * gain + tl.load(bias + at, mask=inside, other=0.0)
    tl.store(y + row * width + at, value, mask=inside)


def normalised(x, weight, bias):
    rows, width = x.shape
    y = torch.empty_like(x)
    normalise_kernel[(rows,)](x, weight, bias, y, width, BLOCK=triton.next_power_of_2(width))
    return y
