#@case {"kernel": "norm"}
import torch
import triton
import triton.language as tl


@triton.jit
def add(a, b, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(a + i, mask=i < n) + tl.load(b + i, mask=i < n), mask=i < n)


@triton.jit
def norm(x, y, stride, width, WIDTH: tl.constexpr):
    i = tl.arange(0, WIDTH)
    v = tl.load(x + tl.program_id(0) * stride + i, mask=i < width, other=0.0)
    tl.store(y + tl.program_id(0) * stride + i, v / tl.sqrt(tl.sum(v * v)), mask=i < width)  #@ globalStoreRequests=10


def run(a, b):
    t, y = torch.empty_like(a), torch.empty_like(a)
    add[(triton.cdiv(a.numel(), 1024),)](a, b, t, a.numel(), BLOCK=1024)
    norm[(a.shape[0],)](t, y, t.stride(0), a.shape[1], WIDTH=1024)
    return y, t
