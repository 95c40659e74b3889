#@case {"kernel": "chase"}
import torch
import triton
import triton.language as tl


@triton.jit
def chase(next_ptr, y_ptr, n):
    i = tl.program_id(0)
    if i < n:
        steps = tl.load(next_ptr + i)
        total = 0
        for k in range(0, steps):
            total += k
        tl.store(y_ptr + i, total)


def run(nexts):
    y = torch.empty_like(nexts)
    chase[(nexts.numel(),)](nexts, y, nexts.numel())
    return y
