#@case {"kernel": "peaks"}
import torch
import triton
import triton.language as tl


@triton.jit
def peaks(x, y, height, width, BLOCK: tl.constexpr):
    c = tl.program_id(0)
    best = -float("inf")
    for start in range(0, height, BLOCK):
        r = start + tl.arange(0, BLOCK)
        v = tl.load(x + r * width + c, mask=r < height, other=-float("inf"))  #@ globalLoadSectors=32768 globalLoadSectorsIdeal=4096
        best = tl.maximum(best, tl.max(v, axis=0))
    tl.store(y + c, best)


def run(x):
    y = torch.empty(x.shape[1])
    grid = lambda meta: (x.shape[1], 1, 1)
    peaks[grid](x, y, x.shape[0], x.shape[1], BLOCK=64)
    return y
