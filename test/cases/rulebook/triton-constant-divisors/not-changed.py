#@case {"kernel": "wrap"}
import torch
import triton
import triton.language as tl


@triton.jit
def wrap(x, y, n, turn, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    turn = turn + 1
    tl.store(y + i, tl.load(x + i % turn, mask=i < n), mask=i < n)  #@ instructions=2000


def run(x, turn):
    y = torch.empty_like(x)
    wrap[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), turn, BLOCK=256)
    return y
