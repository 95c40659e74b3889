#@case {"kernel": "sums"}
import torch
import triton
import triton.language as tl


@triton.jit
def sums(x, y, height, width, BLOCK: tl.constexpr):
    c = tl.program_id(0)
    r = tl.arange(0, BLOCK)
    v = tl.load(x + r * width + c, mask=r < height, other=0.0)  #@ globalLoadSectors=32768 globalLoadSectorsIdeal=4096
    tl.store(y + c, tl.sum(v))


def run(x):
    y = torch.empty(x.shape[1])
    grid = (x.shape[1],)
    print(grid)
    sums[grid](x, y, x.shape[0], x.shape[1], BLOCK=64)
    return y
