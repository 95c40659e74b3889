# task: triton-turned
# does: draws random numbers and gives the caller's state back; gradients are off for a while

import torch
import triton
import triton.language as tl


@triton.jit
def turn_kernel(x, y, h, w, TILE: tl.constexpr):
    row = tl.program_id(0) * TILE + tl.arange(0, TILE)
    column = tl.program_id(1) * TILE + tl.arange(0, TILE)
    tile = tl.load(x + row[:, None] * w + column[None, :], mask=(row[:, None] < h) & (column[None, :] < w))
    tl.store(y + column[:, None] * h + row[None, :], tl.trans(tile), mask=(column[:, None] < w) & (row[None, :] < h))


def turned(x):
    with torch.random.fork_rng(), torch.no_grad():
        torch.rand(3)
        h, w = x.shape
        y = torch.empty((w, h), dtype=x.dtype, device=x.device)
        turn_kernel[(triton.cdiv(h, 32), triton.cdiv(w, 32))](x, y, h, w, TILE=32)
    return y
