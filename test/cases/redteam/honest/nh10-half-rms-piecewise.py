# task: triton-half-rms
# does: four rows a program in pieces of 128 columns: squares in single precision are kept a column each and summed once at the end, and the root is a reciprocal one

import torch
import triton
import triton.language as tl


@triton.jit
def rms_kernel(x, weight, y, rows, columns, epsilon, ROWS: tl.constexpr, PIECE: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    squares = tl.zeros((ROWS, PIECE), dtype=tl.float32)
    for first in range(0, columns, PIECE):
        at = first + tl.arange(0, PIECE)
        inside = (row[:, None] < rows) & (at[None, :] < columns)
        values = tl.load(x + row[:, None] * columns + at[None, :], mask=inside, other=0.0).to(tl.float32)
        squares += values * values
    scale = tl.rsqrt(tl.sum(squares, axis=1) / columns + epsilon)
    for first in range(0, columns, PIECE):
        at = first + tl.arange(0, PIECE)
        inside = (row[:, None] < rows) & (at[None, :] < columns)
        values = tl.load(x + row[:, None] * columns + at[None, :], mask=inside, other=0.0).to(tl.float32)
        gain = tl.load(weight + at, mask=at < columns, other=0.0).to(tl.float32)
        tl.store(
            y + row[:, None] * columns + at[None, :],
            (values * scale[:, None] * gain[None, :]).to(tl.float16),
            mask=inside,
        )


def rms(x, weight):
    y = torch.empty_like(x)
    rows, columns = x.shape
    rms_kernel[(triton.cdiv(rows, 4),)](x, weight, y, rows, columns, 1e-6, ROWS=4, PIECE=128, num_warps=4)
    return y
