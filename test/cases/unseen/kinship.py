# Statistical genetics: genomic relationship matrix G = Z Z' / markers of standardised half-precision genotypes.
import torch
import triton
import triton.language as tl


@triton.jit
def _load_block(z, rows, cols, n, m):
    inside = (rows[:, None] < n) & (cols[None, :] < m)
    return tl.load(z + rows[:, None] * m + cols[None, :], mask=inside, other=0.0)


@triton.jit
def grm_kernel(z, g, n, m, TILE: tl.constexpr, STEP: tl.constexpr):
    first = tl.program_id(0) * TILE + tl.arange(0, TILE)
    second = tl.program_id(1) * TILE + tl.arange(0, TILE)
    related = tl.zeros((TILE, TILE), dtype=tl.float32)
    for start in range(0, m, STEP):
        marker = start + tl.arange(0, STEP)
        a = _load_block(z, first, marker, n, m)
        b = _load_block(z, second, marker, n, m)
        shared = tl.expand_dims(a, 1).to(tl.float32) * tl.expand_dims(b, 0).to(tl.float32)
        related += tl.sum(shared, axis=2)
    inside = (first[:, None] < n) & (second[None, :] < n)
    tl.store(g + first[:, None] * n + second[None, :], related / m, mask=inside)


def relationship(z):
    n, m = z.shape
    g = torch.empty((n, n), device=z.device, dtype=torch.float32)
    tiles = triton.cdiv(n, 16)
    grm_kernel[tiles, tiles](z, g, n, m, TILE=16, STEP=32)
    return g
