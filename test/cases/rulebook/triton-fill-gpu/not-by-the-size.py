#@case {"kernel": "twice"}
import torch
import triton
import triton.language as tl


@triton.jit
def twice(x, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + i, 2 * tl.load(x + i, mask=i < n), mask=i < n)  #@ instructions=4096


def run(x):
    twice[(triton.cdiv(x.numel(), 256),)](x, x.numel(), BLOCK=256)
