#@case {"kernel": "affine"}
import torch
import triton
import triton.language as tl


@triton.jit
def affine(x, w, y, height, width, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    first = tl.program_id(0) * ROWS
    offs = tl.arange(0, BLOCK)
    for i in range(ROWS):
        row = first + i
        scale = tl.load(w + offs, mask=offs < width)  #@ globalLoadRequests=1000
        v = tl.load(x + row * width + offs, mask=(offs < width) & (row < height))  #@ globalLoadRequests=1000
        tl.store(y + row * width + offs, v * scale, mask=(offs < width) & (row < height))


def run(x, w, y):
    affine[(triton.cdiv(x.shape[0], 8),)](x, w, y, x.shape[0], x.shape[1], ROWS=8, BLOCK=256)
