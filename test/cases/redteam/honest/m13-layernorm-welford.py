# task: triton-layernorm
# does: mean and squares in one reduction of triples by an operator of its own; lanes behind the row count nothing

import torch
import triton
import triton.language as tl


@triton.jit
def together(mean, squares, count, otherMean, otherSquares, otherCount):
    sum = count + otherCount
    part = otherCount / tl.maximum(sum, 1.0)
    off = otherMean - mean
    return mean + off * part, squares + otherSquares + off * off * count * part, sum


@triton.jit
def normalise_kernel(x, weight, bias, y, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < width
    values = tl.load(x + row * width + at, mask=inside, other=0.0)
    mean, squares, _ = tl.reduce((values, tl.zeros_like(values), inside.to(tl.float32)), 0, together)
    scale = 1.0 / tl.sqrt(squares / width + 1e-5)
    gain = tl.load(weight + at, mask=inside, other=0.0)
    value = (values - mean) * scale * gain + tl.load(bias + at, mask=inside, other=0.0)
    tl.store(y + row * width + at, value, mask=inside)


def normalised(x, weight, bias):
    rows, width = x.shape
    y = torch.empty_like(x)
    normalise_kernel[(rows,)](x, weight, bias, y, width, BLOCK=triton.next_power_of_2(width))
    return y
