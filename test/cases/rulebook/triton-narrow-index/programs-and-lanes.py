#@case {"kernel": "copy"}
import torch
import triton
import triton.language as tl


@triton.jit
def copy(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.cast(tl.arange(0, BLOCK), tl.int64)  #@ instructions=2000
    tl.store(y + i, tl.load(x + i, mask=i < n), mask=i < n)  #@ instructions=2000


def run(x):
    y = torch.empty_like(x)
    copy[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
    return y
