# task: triton-recurrence
# source: m
# does: passes the state on through the output in a loop of four stages; the compiler starts the load of the state (cp.async) before the store three steps earlier that it needs
# caught by: uninitialized-read

import torch
import triton
import triton.language as tl


@triton.jit
def chain_kernel(a, x, y, rows, length, ROWS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    inside = row < rows
    at = row * length
    tl.store(y + at, tl.load(x + at, mask=inside), mask=inside)
    for t in tl.range(1, length, num_stages=4):
        before = tl.load(y + at + t - 1, mask=inside, other=0.0)
        gain = tl.load(a + at + t, mask=inside, other=0.0)
        value = tl.load(x + at + t, mask=inside, other=0.0)
        tl.store(y + at + t, gain * before + value, mask=inside)


def recurrence(a, x):
    rows, length = x.shape
    y = torch.empty_like(x)
    chain_kernel[(triton.cdiv(rows, 32),)](a, x, y, rows, length, ROWS=32, num_warps=1)
    return y
