#@case {"kernel": "sums"}
import torch
import triton
import triton.language as tl


@triton.jit
def sums(x, y, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * width + i, mask=i < width, other=0.0)  #@ globalLoadSectors=32768 globalLoadSectorsIdeal=4096
    tl.store(y + row, tl.sum(v))


def run(x):
    y = torch.empty(x.shape[0])
    sums[(x.shape[0],)](x, y, x.shape[1], BLOCK=64)
    return y
