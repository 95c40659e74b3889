#@case {"kernel": "soft", "spec": {"inputs": {"x": {"dtype": "float32", "shape": ["n"]}}, "outputs": {"y": {"dtype": "float32", "shape": ["n"]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def limit(v):
    return tl.exp(v.to(tl.float64))


@triton.jit
def soft(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n).to(tl.float64)
    r = limit(v) / (1.0 + limit(v))  #@ fp64Instructions=5000
    tl.store(y + i, r.to(tl.float32), mask=i < n)


def run(x):
    y = torch.empty_like(x)
    soft[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
    return y
