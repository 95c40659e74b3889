import torch
import triton
import triton.language as tl

@triton.jit
def accumulate_steps(x, acc, steps, width, BW: tl.constexpr):
    cols = tl.program_id(0) * BW + tl.arange(0, BW)
    inside = cols < width
    tl.store(acc + cols, tl.zeros([BW], dtype=tl.float32), mask=inside)
    for s in range(steps):
        before = tl.load(acc + cols, mask=inside)
        tl.store(acc + cols, before * 0.9 + tl.load(x + s * width + cols, mask=inside), mask=inside)

def decay_sum(x):
    steps, width = x.shape
    acc = torch.empty((width,), device=x.device)
    accumulate_steps[(triton.cdiv(width, 256),)](x, acc, steps, width, BW=256)
    return acc
