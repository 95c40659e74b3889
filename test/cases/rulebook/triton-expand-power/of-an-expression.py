#@case {"kernel": "well"}
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def well(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    q = tl.load(x + i, mask=i < n, other=1.0)  #@ instructions=100
    e = libdevice.pow(1.0 / q, 12.0) - libdevice.pow(q, -6.0)  #@ instructions=5000
    tl.store(y + i, e + tl.extra.cuda.libdevice.pow(q, 1.5), mask=i < n)  #@ instructions=2000


def run(x):
    y = torch.empty_like(x)
    well[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
    return y
