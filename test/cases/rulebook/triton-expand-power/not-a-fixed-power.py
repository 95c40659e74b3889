#@case {"kernel": "well"}
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def well(x, y, p, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, libdevice.pow(tl.load(x + i, mask=i < n), p), mask=i < n)  #@ instructions=2000


def run(x, p):
    y = torch.empty_like(x)
    well[(triton.cdiv(x.numel(), 256),)](x, y, p, x.numel(), BLOCK=256)
    return y
