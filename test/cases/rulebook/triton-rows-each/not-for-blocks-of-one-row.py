#@case {"kernel": "scaled"}
import torch
import triton
import triton.language as tl


@triton.jit
def scaled(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)  #@ globalLoadRequests=4096 globalBytesRequested=262144
    tl.store(y + i, 2 * v, mask=i < n)


def run(x):
    y = torch.empty_like(x)
    scaled[(triton.cdiv(x.numel(), 32),)](x, y, x.numel(), BLOCK=32)
    return y
