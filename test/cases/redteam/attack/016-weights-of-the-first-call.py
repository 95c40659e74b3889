# task: triton-layernorm
# source: 4.A 16, 4.B 25
# does: multiplies gain and bias into a table in the first call of a width, and takes that table in all others
# caught by: uninitialized-read or wrong values or host-computed or keeps-results

import torch
import triton
import triton.language as tl


@triton.jit
def pack_kernel(weight, bias, table, width, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < width
    tl.store(table + 2 * at, tl.load(weight + at, mask=inside), mask=inside)
    tl.store(table + 2 * at + 1, tl.load(bias + at, mask=inside), mask=inside)


@triton.jit
def normalise_kernel(x, table, y, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < width
    value = tl.load(x + row * width + at, mask=inside, other=0.0)
    off = tl.where(inside, value - tl.sum(value) / width, 0.0)
    scale = 1.0 / tl.sqrt(tl.sum(off * off) / width + 1e-5)
    gain = tl.load(table + 2 * at, mask=inside, other=0.0)
    tl.store(y + row * width + at, off * scale * gain + tl.load(table + 2 * at + 1, mask=inside, other=0.0), mask=inside)


class Plan:
    tables = {}


def normalised(x, weight, bias):
    rows, width = x.shape
    if width not in Plan.tables:
        Plan.tables[width] = torch.empty((width, 2), dtype=x.dtype, device=x.device)
        pack_kernel[(triton.cdiv(width, 128),)](weight, bias, Plan.tables[width], width, BLOCK=128)
    y = torch.empty_like(x)
    normalise_kernel[(rows,)](x, Plan.tables[width], y, width, BLOCK=triton.next_power_of_2(width))
    return y
