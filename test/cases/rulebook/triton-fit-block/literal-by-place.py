#@case {"kernel": "shift", "spec": {"inputs": {"x": {"dtype": "float32", "shape": ["n", 60]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def shift(x, bias, y, width, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    live = lane < width
    at = tl.program_id(0) * width + lane
    v = tl.load(x + at, mask=live)  #@ instructions=40000
    tl.store(y + at, v + tl.load(bias + lane, mask=live), mask=live)


def run(x, bias):
    n, width = x.shape
    y = torch.empty_like(x)
    shift[(n,)](x, bias, y, width, 1024)
    return y
