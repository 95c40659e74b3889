# task: triton-recurrence
# does: a program to a row loads pieces of 32 at once and picks number after number out of them by sums over a mask

import torch
import triton
import triton.language as tl


@triton.jit
def chain_kernel(a, x, y, length, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    state = tl.zeros((1,), dtype=tl.float32)
    for first in range(0, length, BLOCK):
        at = first + lanes
        gains = tl.load(a + row * length + at, mask=at < length, other=0.0)
        values = tl.load(x + row * length + at, mask=at < length, other=0.0)
        states = tl.zeros((BLOCK,), dtype=tl.float32)
        for t in range(0, BLOCK):
            here = lanes == t
            gain = tl.sum(tl.where(here, gains, 0.0), axis=0)
            value = tl.sum(tl.where(here, values, 0.0), axis=0)
            state = gain * state + value
            states = tl.where(here, state, states)
        tl.store(y + row * length + at, states, mask=at < length)


def recurrence(a, x):
    rows, length = x.shape
    y = torch.empty_like(x)
    chain_kernel[(rows,)](a, x, y, length, BLOCK=32, num_warps=1)
    return y
