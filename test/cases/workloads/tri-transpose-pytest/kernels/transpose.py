import triton
import triton.language as tl


@triton.jit
def transpose_kernel(src, dst, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(1) * TILE + tl.arange(0, TILE)
    c = tl.program_id(0) * TILE + tl.arange(0, TILE)
    inside = (r[:, None] < rows) & (c[None, :] < cols)
    tile = tl.load(src + r[:, None] * cols + c[None, :], mask=inside)
    tl.store(dst + c[:, None] * rows + r[None, :], tl.trans(tile), mask=tl.trans(inside))
