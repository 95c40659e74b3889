#@case {"kernel": "shift", "spec": {"inputs": {"x": {"dtype": "float32", "shape": ["n", 600]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def shift(x, y, width, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    at = tl.program_id(0) * width + lane
    v = tl.load(x + at, mask=lane < width)  #@ instructions=40000
    tl.store(y + at, v + 1, mask=lane < width)


def run(x):
    n, width = x.shape
    y = torch.empty_like(x)
    shift[(n,)](x, y, width, BLOCK=1024)
    return y
