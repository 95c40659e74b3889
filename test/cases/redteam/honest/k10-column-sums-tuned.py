# task: triton-column-sums
# does: adds atomically and tries its configurations, each on an output set back to zero

import torch
import triton
import triton.language as tl


@triton.autotune(
    configs=[
        triton.Config({"ROWS": 32, "COLUMNS": 64}, num_warps=4),
        triton.Config({"ROWS": 64, "COLUMNS": 32}, num_warps=4),
    ],
    key=["rows", "columns"],
    reset_to_zero=["y"],
)
@triton.jit
def sums_kernel(x, y, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    tile = tl.load(x + row[:, None] * columns + column[None, :], mask=inside, other=0.0)
    tl.atomic_add(y + column, tl.sum(tile, axis=0), mask=column < columns, sem="relaxed")


def column_sums(x):
    rows, columns = x.shape
    y = torch.zeros((columns,), dtype=torch.float32, device=x.device)
    sums_kernel[lambda meta: (triton.cdiv(rows, meta["ROWS"]), triton.cdiv(columns, meta["COLUMNS"]))](x, y, rows, columns)
    return y
