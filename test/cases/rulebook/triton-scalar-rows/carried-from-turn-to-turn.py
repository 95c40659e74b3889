#@case {"kernel": "leaky"}
import torch
import triton
import triton.language as tl


@triton.jit
def leaky(x, y, steps, keep):
    row = tl.program_id(0)
    state = 0.0
    for t in range(steps):
        state = keep * state + tl.load(x + row * steps + t)  #@ globalLoadRequests=40960
        tl.store(y + row * steps + t, tl.where(state > 1.0, state - 1.0, state))  #@ globalStoreRequests=40960


def run(x, keep=0.9):
    y = torch.empty_like(x)
    rows, steps = x.shape
    leaky[(rows,)](x, y, steps, keep)
    return y
