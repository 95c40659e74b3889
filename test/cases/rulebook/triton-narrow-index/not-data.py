#@case {"kernel": "gather"}
import torch
import triton
import triton.language as tl


@triton.jit
def gather(x, at, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    j = tl.load(at + i, mask=i < n).to(tl.int64)  #@ instructions=2000
    tl.store(y + i, tl.load(x + j, mask=i < n), mask=i < n)  #@ instructions=2000


def run(x, at):
    y = torch.empty_like(x)
    gather[(triton.cdiv(x.numel(), 256),)](x, at, y, x.numel(), BLOCK=256)
    return y
