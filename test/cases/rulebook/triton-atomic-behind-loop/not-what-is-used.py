#@case {"kernel": "energy"}
import torch
import triton
import triton.language as tl


@triton.jit
def energy(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * n + i, mask=i < n, other=0.0)
        before = tl.atomic_add(y + row, tl.sum(v * v, axis=0))  #@ globalAtomicPasses=4000


def run(x):
    y = torch.zeros(x.shape[0], device=x.device)
    energy[(x.shape[0],)](x, y, x.shape[1], BLOCK=256)
    return y
