#@case {"kernel": "wrap"}
import torch
import triton
import triton.language as tl


@triton.jit
def wrap(x, y, n, TURN: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i % TURN, mask=i < n), mask=i < n)  #@ instructions=2000


def run(x):
    y = torch.empty_like(x)
    wrap[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), TURN=7, BLOCK=256)
    return y
