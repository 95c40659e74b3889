#@case {"kernel": "potential"}
import torch
import triton
import triton.language as tl


@triton.jit
def potential(place, charge, out, n, SPAN: tl.constexpr):
    i = tl.program_id(0)
    own = tl.load(place + i)
    total = tl.zeros([SPAN], dtype=tl.float32)
    for first in range(0, n, SPAN):
        j = first + tl.arange(0, SPAN)
        there = j < n
        gap = tl.abs(tl.load(place + j, mask=there, other=0.0) - own) + 0.1  #@ globalLoadSectors=80000
        total += tl.where(there, tl.load(charge + j, mask=there, other=0.0) / gap, 0.0)  #@ globalLoadSectors=80000
    tl.store(out + i, tl.sum(total, axis=0))


def run(place, charge):
    out = torch.empty_like(place)
    potential[(place.numel(),)](place, charge, out, place.numel(), SPAN=256)
    return out
