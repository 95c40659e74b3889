# task: triton-softmax
# does: one pass with a running maximum

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x, y, columns, BLOCK: tl.constexpr):
    x += tl.program_id(0) * columns
    y += tl.program_id(0) * columns
    largest, total = float("-inf"), 0.0
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        values = tl.load(x + at, mask=at < columns, other=float("-inf"))
        now = tl.maximum(largest, tl.max(values, axis=0))
        total = total * tl.exp(largest - now) + tl.sum(tl.exp(values - now), axis=0)
        largest = now
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        values = tl.load(x + at, mask=at < columns, other=float("-inf"))
        tl.store(y + at, tl.exp(values - largest) / total, mask=at < columns)


def softmax(x):
    y = torch.empty_like(x)
    softmax_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=256)
    return y
