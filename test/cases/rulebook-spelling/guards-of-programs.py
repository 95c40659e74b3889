#@case {"kernel": "squash_each"}
import torch
import triton
import triton.language as tl


@triton.jit
def squash_each(x_ptr, y_ptr, n):
    i = tl.program_id(0)
    if i < n:
        # one number each
        x = tl.load(x_ptr + i)
        y = x / (1.0 + tl.abs(x))
        tl.store(
            y_ptr + i,
            y,
        )


def squash(x):
    y = torch.empty_like(x)
    squash_each[(x.numel(),)](x, y, x.numel())
    return y
