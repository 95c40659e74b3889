#@case {"kernel": "total"}
import torch
import triton
import triton.language as tl


@triton.jit
def total(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    v = tl.load(x + i, mask=inside)
    place = y + i * 0
    tl.atomic_add(place, v * v, mask=inside)  #@ globalAtomics=1024 globalAtomicPasses=32768


def run(x):
    y = torch.zeros(1)
    total[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
    return y
