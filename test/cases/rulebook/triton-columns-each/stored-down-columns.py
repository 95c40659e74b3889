#@case {"kernel": "turned"}
import torch
import triton
import triton.language as tl


@triton.jit
def turned(x, y, height, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + row * width + i, mask=i < width)
    tl.store(y + i * height + row, v, mask=i < width)  #@ globalStoreSectors=32768 globalStoreSectorsIdeal=4096


def run(x):
    y = torch.empty(x.shape[1], x.shape[0])
    turned[(x.shape[0], triton.cdiv(x.shape[1], 128))](x, y, x.shape[0], x.shape[1], BLOCK=128)
    return y
