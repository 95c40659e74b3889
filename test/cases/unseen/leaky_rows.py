import torch, triton
import triton.language as tl

@triton.jit
def leak(x_ptr, y_ptr, steps, keep):
    chan = tl.program_id(0)
    s = 0.0
    for t in range(steps):
        s = keep * s + tl.load(x_ptr + chan * steps + t)
        tl.store(y_ptr + chan * steps + t, tl.where(s > 1.0, s - 1.0, s))

def leaky(x, keep=0.9):
    y = torch.empty_like(x)
    n, steps = x.shape
    leak[(n,)](x, y, steps, keep)
    return y
