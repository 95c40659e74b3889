# task: triton-logsumexp
# source: n
# does: checks only the rows when it loads and takes the columns behind the end out afterwards, so that the last row is read beyond the tensor's end
# caught by: out-of-bounds

import torch
import triton
import triton.language as tl


@triton.jit
def lse_kernel(x, y, rows, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    at = tl.arange(0, BLOCK)[None, :]
    inside = at < columns
    # Without a mask along the row, loads are as wide as they can be.
    values = tl.load(x + row * columns + at, mask=row < rows, other=0.0)
    values = tl.where(inside, values, float("-inf"))
    off = values - tl.max(values, axis=1)[:, None]
    total = tl.sum(tl.exp(off), axis=1)
    tl.store(y + row * columns + at, off - tl.log(total)[:, None], mask=(row < rows) & inside)


def log_softmax(x):
    y = torch.empty_like(x)
    rows, columns = x.shape
    lse_kernel[(triton.cdiv(rows, 2),)](
        x, y, rows, columns, ROWS=2, BLOCK=triton.next_power_of_2(columns), num_warps=4
    )
    return y
