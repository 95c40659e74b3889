#@case {"kernel": "scale", "spec": {"inputs": {"x": {"dtype": "float32", "shape": ["n"]}}, "outputs": {"y": {"dtype": "float32", "shape": ["n"]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.sqrt(tl.load(x + i, mask=i < n)), mask=i < n)  #@ fp64Instructions=5000


def run(x):
    wide = x.double()
    y = torch.empty_like(wide)
    scale[(triton.cdiv(x.numel(), 256),)](wide, y, x.numel(), BLOCK=256)
    return y.float()
