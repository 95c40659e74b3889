# task: triton-softmax
# does: several rows a program as one plane, the columns in one piece as wide as the next power of two

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x, y, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = (tl.program_id(0) * ROWS + tl.arange(0, ROWS))[:, None]
    column = tl.arange(0, COLUMNS)[None, :]
    inside = (row < rows) & (column < columns)
    values = tl.where(inside, tl.load(x + row * columns + column, mask=inside, other=0.0), float("-inf"))
    top = tl.max(values, axis=1, keep_dims=True)
    powers = tl.where(inside, tl.exp(values - top), 0.0)
    whole = tl.sum(powers, axis=1, keep_dims=True)
    tl.store(y + row * columns + column, powers / whole, mask=inside)


def softmax(x):
    rows, columns = x.shape
    y = torch.empty_like(x)
    softmax_kernel[(triton.cdiv(rows, 4),)](x, y, rows, columns, ROWS=4, COLUMNS=triton.next_power_of_2(columns))
    return y
