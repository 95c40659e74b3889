#@case {"kernel": "scatter", "launches": [{"blocks": 8192, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.jit
def scatter(x, which, y, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    to = tl.load(which + r)
    v = tl.load(x + r * n + c, mask=c < n, other=0.0)
    tl.atomic_add(y + to * n + c, v, mask=c < n)  #@ globalAtomicPasses=90000


def run(x, which, classes):
    y = torch.zeros(classes, x.shape[1], device=x.device)
    scatter[(x.shape[0],)](x, which, y, x.shape[1], BLOCK=256)
    return y
