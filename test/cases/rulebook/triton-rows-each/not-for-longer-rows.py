#@case {"kernel": "total"}
import torch
import triton
import triton.language as tl


@triton.jit
def total(x, y, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    part = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, width, BLOCK):
        i = start + tl.arange(0, BLOCK)
        part += tl.load(x + row * width + i, mask=i < width, other=0.0)  #@ globalLoadRequests=4096 globalBytesRequested=262144
    tl.store(y + row, tl.sum(part))


def run(x):
    y = torch.empty(x.shape[0])
    total[(x.shape[0],)](x, y, x.shape[1], BLOCK=32)
    return y
