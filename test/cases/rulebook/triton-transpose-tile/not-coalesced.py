#@case {"kernel": "copy"}
import torch
import triton
import triton.language as tl


@triton.jit
def copy(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n), mask=i < n)  #@ globalLoadSectors=4096 globalLoadSectorsIdeal=4096 globalStoreSectors=4096 globalStoreSectorsIdeal=4096


def run(x):
    y = torch.empty_like(x)
    copy[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
    return y
