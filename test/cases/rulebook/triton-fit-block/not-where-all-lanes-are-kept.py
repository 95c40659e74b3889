#@case {"kernel": "parts", "spec": {"inputs": {"x": {"dtype": "float32", "shape": ["n", 60]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def parts(x, y, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lane = tl.arange(0, BLOCK)
    v = tl.load(x + row * width + lane, mask=lane < width, other=0.0)  #@ instructions=40000
    tl.store(y + row * BLOCK + lane, v)


def run(x):
    n, width = x.shape
    y = torch.empty(n, 1024, device=x.device)
    parts[(n,)](x, y, width, BLOCK=1024)
    return y
