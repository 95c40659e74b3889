#@case {"kernel": "twice"}
import torch
import triton
import triton.language as tl


@triton.jit
def twice(x, n, BLOCK: tl.constexpr):
    for start in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        i = start + tl.arange(0, BLOCK)
        tl.store(x + i, 2 * tl.load(x + i, mask=i < n), mask=i < n)  #@ instructions=4096


def run(x):
    twice[(2,)](x, x.numel(), BLOCK=256)
