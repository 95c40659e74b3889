#@case {"kernel": "scaled"}
import torch
import triton
import triton.language as tl


@triton.jit
def scaled(x, keep, y, width, WIDTH: tl.constexpr):
    row = tl.program_id(0)
    if tl.load(keep + row) == 0:
        return
    i = tl.arange(0, WIDTH)
    v = tl.load(x + row * width + i, mask=i < width)  #@ globalLoadRequests=4096 globalBytesRequested=262144
    tl.store(y + row * width + i, 2 * v, mask=i < width)


def run(x, keep, y):
    scaled[(x.shape[0],)](x, keep, y, x.shape[1], WIDTH=32)
