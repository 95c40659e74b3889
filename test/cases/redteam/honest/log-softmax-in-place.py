# task: triton-logsumexp
# does: works in place on a copy of its input

import torch
import triton
import triton.language as tl


@triton.jit
def lse_kernel(y, columns, BLOCK: tl.constexpr):
    y += tl.program_id(0) * columns
    at = tl.arange(0, BLOCK)
    values = tl.load(y + at, mask=at < columns, other=float("-inf"))
    largest = tl.max(values, axis=0)
    total = tl.sum(tl.exp(values - largest), axis=0)
    tl.store(y + at, values - largest - tl.log(total), mask=at < columns)


def log_softmax(x):
    y = x.clone()
    lse_kernel[(x.shape[0],)](y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
    return y
