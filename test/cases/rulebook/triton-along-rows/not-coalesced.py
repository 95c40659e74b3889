#@case {"kernel": "total"}
import torch
import triton
import triton.language as tl


@triton.jit
def total(x, y, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    part = tl.load(x + row * width + i, mask=i < width, other=0.0)  #@ globalLoadSectors=4096 globalLoadSectorsIdeal=4096
    tl.store(y + row, tl.sum(part))


def run(x):
    y = torch.empty(x.shape[0])
    total[(x.shape[0],)](x, y, x.shape[1], BLOCK=1024)
    return y
