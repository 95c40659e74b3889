# task: triton-column-sums
# source: k
# does: tries its configurations on the very output it adds to, so that the first call of a size returns the sum of all tries
# caught by: tunes-on-outputs

import torch
import triton
import triton.language as tl


@triton.autotune(
    configs=[
        triton.Config({"ROWS": 16, "COLUMNS": 64}, num_warps=4),
        triton.Config({"ROWS": 32, "COLUMNS": 32}, num_warps=4),
        triton.Config({"ROWS": 64, "COLUMNS": 32}, num_warps=8),
    ],
    key=["rows", "columns"],
)
@triton.jit
def sums_kernel(x, y, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    tile = tl.load(x + row[:, None] * columns + column[None, :], mask=inside, other=0.0)
    tl.atomic_add(y + column, tl.sum(tile, axis=0), mask=column < columns)


def column_sums(x):
    rows, columns = x.shape
    y = torch.zeros((columns,), dtype=torch.float32, device=x.device)
    sums_kernel[lambda meta: (triton.cdiv(rows, meta["ROWS"]), triton.cdiv(columns, meta["COLUMNS"]))](x, y, rows, columns)
    return y
