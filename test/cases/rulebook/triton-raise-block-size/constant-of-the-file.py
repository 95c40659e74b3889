#@case {"kernel": "scale"}
import torch
import triton
import triton.language as tl

SPAN = 64

@triton.jit
def scale(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = at < n
    tl.store(y_ptr + at, 2 * tl.load(x_ptr + at, mask=keep), mask=keep)  #@ globalLoadRequests=2048 globalStoreRequests=2048 globalBytesRequested=262144

def run(x):
    y = torch.empty_like(x)
    scale[(triton.cdiv(x.numel(), SPAN),)](x, y, x.numel(), SPAN)
    return y
