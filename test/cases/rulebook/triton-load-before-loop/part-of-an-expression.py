#@case {"kernel": "affine"}
import torch
import triton
import triton.language as tl


@triton.jit
def affine(x, w, b, y, height, width, BLOCK: tl.constexpr):
    col = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = col < width
    for row in range(0, height):
        v = tl.load(x + row * width + col, mask=keep)  #@ globalLoadRequests=1000
        bias = tl.load(b)  #@ globalLoadRequests=1000
        tl.store(y + row * width + col, v * tl.load(w + col, mask=keep) + bias, mask=keep)  #@ globalLoadRequests=1000


def run(x, w, b):
    y = torch.empty_like(x)
    affine[(triton.cdiv(x.shape[1], 256),)](x, w, b, y, x.shape[0], x.shape[1], BLOCK=256)
    return y
