# task: triton-logsumexp
# does: wide blocks

import torch
import triton
import triton.language as tl


@triton.jit
def lse_kernel(x, y, columns, BLOCK: tl.constexpr):
    x += tl.program_id(0) * columns
    largest = float("-inf")
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        largest = tl.maximum(largest, tl.max(tl.load(x + at, mask=at < columns, other=float("-inf")), axis=0))
    total = 0.0
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.sum(tl.exp(tl.load(x + at, mask=at < columns, other=float("-inf")) - largest), axis=0)
    correction = largest + tl.log(total)
    y += tl.program_id(0) * columns
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        tl.store(y + at, tl.load(x + at, mask=at < columns) - correction, mask=at < columns)


def log_softmax(x):
    y = torch.empty_like(x)
    lse_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=512)
    return y
