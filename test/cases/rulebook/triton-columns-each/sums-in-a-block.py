#@case {"kernel": "sums"}
import torch
import triton
import triton.language as tl


@triton.jit
def sums(x, y, height, stride, BLOCK: tl.constexpr):
    column = tl.program_id(axis=0)
    down = x + column
    part = tl.zeros((BLOCK,), dtype=tl.float32)
    i = 0
    while i < height:
        r = i + tl.arange(0, BLOCK)
        part += tl.load(down + r * stride, mask=r < height, other=0.0)  #@ globalLoadSectors=32768 globalLoadSectorsIdeal=4096
        i += BLOCK
    tl.store(y + column, tl.sum(part, 0))


def run(x):
    y = torch.empty(x.shape[1])
    sums[(x.shape[1],)](x, y, x.shape[0], x.stride(0), BLOCK=128)
    return y
