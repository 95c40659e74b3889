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
    x += tl.program_id(0) * stride
    i = tl.arange(0, WIDTH)
    v = tl.load(x + i, mask=i < width, other=0.0)
    tl.store(y + tl.program_id(0) * stride + i, v / tl.sqrt(tl.sum(v * v)), mask=i < width)  #@ globalStoreRequests=10


def run(a, b):
    rows, width = a.shape
    t = torch.empty_like(a)
    n = t.numel()
    add[(triton.cdiv(n, 1024),)](a, b, t, n, BLOCK=1024)
    y = torch.empty_like(t)
    norm[(rows,)](t, y, t.stride(0), width, WIDTH=triton.next_power_of_2(width), num_warps=8)
    return y
