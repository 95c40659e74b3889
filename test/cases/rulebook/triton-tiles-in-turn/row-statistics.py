#@case {"kernel":"whiten_tile"}
import torch
import triton
import triton.language as tl


@triton.jit
def whiten_tile(x, y, gamma, rows, cols, eps, TILE: tl.constexpr, RB: tl.constexpr):
    """One program per (row, tile): every tile computes the row statistics anew."""
    row = tl.program_id(0)
    tile = tl.program_id(1)
    total = tl.zeros((RB,), dtype=tl.float32)
    total2 = tl.zeros((RB,), dtype=tl.float32)
    for start in range(0, cols, RB):
        c = start + tl.arange(0, RB)
        v = tl.load(x + row * cols + c, mask=c < cols, other=0.0).to(tl.float32)  #@ globalLoadSectors=16000
        total += v
        total2 += v * v
    mean = tl.sum(total) / cols
    var = tl.sum(total2) / cols - mean * mean
    inv = tl.rsqrt(var + eps)
    c = tile * TILE + tl.arange(0, TILE)
    v = tl.load(x + row * cols + c, mask=c < cols, other=0.0).to(tl.float32)  #@ globalLoadSectors=1000
    g = tl.load(gamma + c, mask=c < cols, other=0.0)
    tl.store(y + row * cols + c, (v - mean) * inv * g, mask=c < cols)


def whiten(x, gamma, eps=1e-5):
    rows, cols = x.shape
    y = torch.empty_like(x)
    TILE = 256
    whiten_tile[(rows, triton.cdiv(cols, TILE))](x, y, gamma, rows, cols, eps, TILE=TILE, RB=1024)
    return y
