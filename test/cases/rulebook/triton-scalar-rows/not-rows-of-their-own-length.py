#@case {"kernel": "decayed"}
import torch
import triton
import triton.language as tl


@triton.jit
def decayed(x, starts, y):
    row = tl.program_id(0)
    first = tl.load(starts + row)
    last = tl.load(starts + row + 1)
    state = 0.0
    for t in range(first, last):
        state = 0.5 * state + tl.load(x + t)  #@ globalLoadRequests=40960
        tl.store(y + t, state)  #@ globalStoreRequests=40960


def run(x, starts):
    y = torch.empty_like(x)
    decayed[(starts.numel() - 1,)](x, starts, y)
    return y
