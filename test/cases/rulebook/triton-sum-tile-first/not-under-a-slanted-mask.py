#@case {"kernel": "above"}
import torch
import triton
import triton.language as tl


@triton.jit
def above(x, sums, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    j = tl.arange(0, B)
    over = i[:, None] <= j[None, :]
    v = tl.load(x + i[:, None] * n + j[None, :], mask=over, other=0.0)
    tl.atomic_add(sums + j[None, :] + i[:, None] * 0, v, mask=over)  #@ globalAtomics=512 globalAtomicPasses=16384


def run(x):
    sums = torch.zeros(x.shape[1], device=x.device)
    above[(x.shape[0] // 32,)](x, sums, x.shape[1], B=32)
    return sums
