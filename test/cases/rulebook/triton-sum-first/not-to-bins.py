#@case {"kernel": "count"}
import torch
import triton
import triton.language as tl


@triton.jit
def count(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.atomic_add(y + v, 1, mask=i < n)  #@ globalAtomics=1024 globalAtomicPasses=32768


def run(x):
    y = torch.zeros(8, dtype=torch.int32)
    count[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
    return y
