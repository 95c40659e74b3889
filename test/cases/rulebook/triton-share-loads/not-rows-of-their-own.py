#@case {"kernel": "summed"}
import torch
import triton
import triton.language as tl


@triton.jit
def summed(x, y, n, SPAN: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([SPAN], dtype=tl.float32)
    for first in range(0, n, SPAN):
        i = first + tl.arange(0, SPAN)
        total += tl.load(x + row * n + i, mask=i < n, other=0.0)  #@ globalLoadSectors=80000
    tl.store(y + row, tl.sum(total, axis=0))


def run(x):
    y = torch.empty(x.shape[0], device=x.device)
    summed[(x.shape[0],)](x, y, x.shape[1], SPAN=256)
    return y
