import functools

import torch
import triton


def contiguous(fn):
    @functools.wraps(fn)
    def wrapped(*args, **kwargs):
        fix = lambda v: v.contiguous() if isinstance(v, torch.Tensor) else v
        return fn(*map(fix, args), **{k: fix(v) for k, v in kwargs.items()})

    return wrapped


def calculate_settings(n):
    block = triton.next_power_of_2(n)
    if block > 65536:
        raise RuntimeError(f"{n} columns are too many for one block")
    return block, 4 if block < 2048 else 8
