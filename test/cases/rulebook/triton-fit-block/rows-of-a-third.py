#@case {"kernel": "l2_norm", "spec": {"inputs": {"x": {"dtype": "float32", "shape": ["n", "d"]}}, "shapes": [{"sizes": {"n": 64, "d": 300}}]}}
import torch
import triton
import triton.language as tl

WIDE = 4096


@triton.jit
def l2_norm(x, y, d, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    v = tl.load(x + row * d + cols, mask=cols < d, other=0.0)  #@ instructions=40000
    tl.store(y + row * d + cols, v / tl.sqrt(tl.sum(v * v)), mask=cols < d)


def run(x):
    y = torch.empty_like(x)
    l2_norm[(x.shape[0],)](x, y, x.shape[1], BLOCK=WIDE, num_warps=8)
    return y
