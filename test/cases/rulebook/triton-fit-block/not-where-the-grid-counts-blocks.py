#@case {"kernel": "add", "spec": {"inputs": {"x": {"dtype": "float32", "shape": ["n", 60]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def add(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n)  #@ instructions=40000
    tl.store(y + at, v + 1, mask=at < n)


def run(x):
    y = torch.empty_like(x)
    n = x.numel()
    add[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y
