#@case {"kernel": "total"}
import torch
import triton
import triton.language as tl


@triton.jit
def total(x, y, height, width, BLOCK: tl.constexpr):
    column = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    part = tl.load(x + i * width + column, mask=i < height, other=0.0)  #@ globalLoadSectors=32768 globalLoadSectorsIdeal=4096
    tl.store(y + column, tl.sum(part))


def run(x):
    y = torch.empty(x.shape[1])
    total[(x.shape[1],)](x, y, x.shape[0], x.shape[1], BLOCK=1024)
    return y
