# task: triton-layernorm
# does: keeps room for statistics of each shape between calls, and fills it in each

import torch
import triton
import triton.language as tl


@triton.jit
def statistics_kernel(x, both, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    values = tl.load(x + row * width + at, mask=at < width, other=0.0)
    mean = tl.sum(values) / width
    off = tl.where(at < width, values - mean, 0.0)
    tl.store(both + 2 * row, mean)
    tl.store(both + 2 * row + 1, 1.0 / tl.sqrt(tl.sum(off * off) / width + 1e-5))


@triton.jit
def normalise_kernel(x, weight, bias, both, y, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < width
    off = tl.load(x + row * width + at, mask=inside, other=0.0) - tl.load(both + 2 * row)
    gain = tl.load(weight + at, mask=inside, other=0.0) * tl.load(both + 2 * row + 1)
    tl.store(y + row * width + at, off * gain + tl.load(bias + at, mask=inside, other=0.0), mask=inside)


room = {}


def normalised(x, weight, bias):
    rows, width = x.shape
    block = triton.next_power_of_2(width)
    both = room.get(rows)
    if both is None:
        both = room[rows] = torch.empty((rows, 2), dtype=torch.float32, device=x.device)
    statistics_kernel[(rows,)](x, both, width, BLOCK=block)
    y = torch.empty_like(x)
    normalise_kernel[(rows,)](x, weight, bias, both, y, width, BLOCK=block)
    return y
