#@case {"kernel":"shift"}
import torch
import triton
import triton.language as tl


@triton.jit
def shift(x, y, top, n, TILE: tl.constexpr):
    part = tl.program_id(axis=0)
    row = tl.program_id(axis=1)
    i = part * TILE + tl.arange(0, TILE)
    inside = i < n
    highest = tl.full((), -float("inf"), tl.float32)
    for at in range(0, n, 512):
        j = at + tl.arange(0, 512)
        v = tl.load(x + (row + part) * n + j, mask=j < n, other=-float("inf"))  #@ globalLoadSectors=16000
        highest = tl.maximum(highest, tl.max(v, 0))
    own = tl.load(x + row * n + i, mask=inside)  #@ globalLoadSectors=1000
    tl.store(y + row * n + i, own - highest, mask=inside)


def shifted(x):
    rows, n = x.shape
    y = torch.empty_like(x)
    grid = (triton.cdiv(n, 128), rows)
    shift[grid](x, y, None, n, TILE=128)
    return y
