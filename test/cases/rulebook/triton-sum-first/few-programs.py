#@case {"kernel": "total"}
import torch
import triton
import triton.language as tl


@triton.jit
def total(x, y, n, BLOCK: tl.constexpr):
    for start in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(x + i, mask=i < n, other=0.0)
        tl.atomic_add(y + tl.zeros((BLOCK,), tl.int32), v)  #@ globalAtomics=32 globalAtomicPasses=1024


def run(x):
    y = torch.zeros(1)
    total[(2,)](x, y, x.numel(), BLOCK=128)
    return y
