# task: triton-logsumexp
# does: maxima, sums and results by kernels of their own that a table of steps launches, with scratch of the caller's dtype

import torch
import triton
import triton.language as tl


@triton.jit
def largest_kernel(x, most, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    largest = tl.full((BLOCK,), float("-inf"), tl.float32)
    for start in tl.range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        largest = tl.maximum(largest, tl.load(x + row * columns + at, mask=at < columns, other=float("-inf")))
    tl.store(most + row, tl.max(largest, axis=0))


@triton.jit
def sums_kernel(x, most, total, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    sums = tl.zeros((BLOCK,), tl.float32)
    for start in tl.range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        values = tl.load(x + row * columns + at, mask=at < columns, other=float("-inf"))
        sums += tl.exp(values - tl.load(most + row))
    tl.store(total + row, tl.sum(sums, axis=0))


@triton.jit
def lse_kernel(x, most, total, y, columns, BLOCK: tl.constexpr):
    row, part = tl.program_id(0), tl.program_id(1)
    at = part * BLOCK + tl.arange(0, BLOCK)
    correction = tl.load(most + row) + tl.log(tl.load(total + row))
    values = tl.load(x + row * columns + at, mask=at < columns)
    tl.store(y + row * columns + at, values - correction, mask=at < columns)


def log_softmax(x):
    rows, columns = x.shape
    most, total = (x.new_empty(rows) for _ in range(2))
    y = torch.empty_like(x)
    steps = (
        (largest_kernel, (rows,), (x, most)),
        (sums_kernel, (rows,), (x, most, total)),
        (lse_kernel, (rows, triton.cdiv(columns, 128)), (x, most, total, y)),
    )
    for kernel, grid, tensors in steps:
        kernel[grid](*tensors, columns, BLOCK=128)
    return y
