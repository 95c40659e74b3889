# task: triton-logsumexp
# does: an unrolled loop of pieces, rescaled as the maximum rises, in its own helper

import torch
import triton
import triton.language as tl


@triton.jit
def step(largest, total, values):
    most = tl.maximum(largest, tl.max(values, axis=0))
    return most, total * tl.exp(largest - most) + tl.sum(tl.exp(values - most), axis=0)


@triton.jit
def lse_kernel(x, y, columns, BLOCK: tl.constexpr, PIECES: tl.constexpr):
    x += tl.program_id(0) * columns
    y += tl.program_id(0) * columns
    at = tl.arange(0, BLOCK)
    first = tl.load(x + at, mask=at < columns, other=float("-inf"))
    largest = tl.max(first, axis=0)
    total = tl.sum(tl.exp(first - largest), axis=0)
    for piece in tl.static_range(1, PIECES):
        here = piece * BLOCK + at
        largest, total = step(largest, total, tl.load(x + here, mask=here < columns, other=float("-inf")))
    for piece in tl.static_range(PIECES):
        here = piece * BLOCK + at
        value = tl.load(x + here, mask=here < columns)
        tl.store(y + here, value - largest - tl.log(total), mask=here < columns)


def log_softmax(x):
    rows, columns = x.shape
    y = torch.empty_like(x)
    lse_kernel[(rows,)](x, y, columns, BLOCK=128, PIECES=triton.cdiv(columns, 128))
    return y
