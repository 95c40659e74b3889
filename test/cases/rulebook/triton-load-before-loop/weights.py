#@case {"kernel": "affine"}
import torch
import triton
import triton.language as tl


@triton.jit
def affine(x, w, y, height, width, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    first = tl.program_id(0) * ROWS
    for i in range(ROWS):
        row = first + i
        offs = tl.arange(0, BLOCK)
        keep = offs < width
        scale = tl.load(w + offs, mask=keep)  #@ globalLoadRequests=1000
        v = tl.load(x + row * width + offs, mask=keep & (row < height))  #@ globalLoadRequests=1000
        tl.store(y + row * width + offs, v * scale, mask=keep & (row < height))


def run(x, w):
    y = torch.empty_like(x)
    affine[(triton.cdiv(x.shape[0], 8),)](x, w, y, x.shape[0], x.shape[1], ROWS=8, BLOCK=256)
    return y
