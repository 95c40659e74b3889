#@case {"kernel": "scale", "spec": {"inputs": {"x": {"dtype": "float64", "shape": ["n"]}}, "outputs": {"y": {"dtype": "float64", "shape": ["n"]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n).to(tl.float64) * 2.0, mask=i < n)  #@ fp64Instructions=5000


def run(x):
    y = torch.empty_like(x)
    scale[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
    return y
