"""Each tile of a matrix divided by its largest magnitude, which is kept beside it."""

import torch
import triton
import triton.language as tl


@triton.jit
def _divide_tiles(matrix_ptr, scaled_ptr, scales_ptr, rows, columns, TILE: tl.constexpr):
    tile_row = tl.program_id(0)
    tile_column = tl.program_id(1)
    across = tl.num_programs(1)
    row = tile_row * TILE + tl.arange(0, TILE)
    column = tile_column * TILE + tl.arange(0, TILE)
    at = row[:, None] * columns + column[None, :]
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    tile = tl.load(matrix_ptr + at, mask=inside, other=0.0)
    scale = tl.maximum(tl.max(tl.abs(tile)), 1e-6)
    tl.store(scaled_ptr + at, (tile / scale).to(scaled_ptr.dtype.element_ty), mask=inside)
    tl.store(scales_ptr + tile_row * across + tile_column, scale)


def divide_tiles(matrix: torch.Tensor, tile: int = 128):
    rows, columns = matrix.shape
    scaled = torch.empty(rows, columns, dtype=torch.float8_e5m2, device=matrix.device)
    scales = matrix.new_empty(triton.cdiv(rows, tile), triton.cdiv(columns, tile), dtype=torch.float32)
    _divide_tiles[triton.cdiv(rows, tile), triton.cdiv(columns, tile)](
        matrix, scaled, scales, rows, columns, TILE=tile
    )
    return scaled, scales
