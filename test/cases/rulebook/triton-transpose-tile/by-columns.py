#@case {"kernel": "flip"}
import torch
import triton
import triton.language as tl


@triton.jit
def flip(x, y, height, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * width + i, mask=i < width)  #@ globalLoadSectors=4096 globalLoadSectorsIdeal=4096
    tl.store(y + i * height + row, v, mask=i < width)  #@ globalStoreSectors=32768 globalStoreSectorsIdeal=4096


def run(x):
    y = torch.empty(x.shape[1], x.shape[0])
    flip[(x.shape[0],)](x, y, x.shape[0], x.shape[1], BLOCK=1024)
    return y
