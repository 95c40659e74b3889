#@case {"kernel": "column_sums"}
import torch
import triton
import triton.language as tl


@triton.jit
def column_sums(grid, sums, height, width, TALL: tl.constexpr, WIDE: tl.constexpr):
    rows = tl.program_id(0) * TALL + tl.arange(0, TALL)
    cols = tl.program_id(1) * WIDE + tl.arange(0, WIDE)
    here = (rows[:, None] < height) & (cols[None, :] < width)
    cells = tl.load(grid + rows[:, None] * width + cols[None, :], mask=here, other=0.0)
    places = sums + cols[None, :] + tl.zeros((TALL, 1), dtype=tl.int32)
    tl.atomic_add(places, cells * cells, mask=here)  #@ globalAtomics=2048 globalAtomicPasses=65536


def power_by_column(grid):
    height, width = grid.shape
    sums = torch.zeros(width, device=grid.device)
    column_sums[(triton.cdiv(height, 32), triton.cdiv(width, 64))](grid, sums, height, width, TALL=32, WIDE=64)
    return sums
