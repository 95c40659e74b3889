#@case {"kernel": "chips"}
import torch
import triton
import triton.language as tl


@triton.jit
def chips(x, y, bands, height, tile, total, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    px = i % tile  #@ instructions=2000
    py = (i // tile) % tile  #@ instructions=2000
    band = (i // (tile * tile)) % bands  #@ instructions=2000
    v = tl.load(x + (band * height + py) * height + px, mask=i < total)  #@ instructions=1000
    tl.store(y + i, v, mask=i < total)  #@ instructions=1000


def run(x, tile):
    y = torch.empty((x.shape[0], tile, tile))
    chips[(triton.cdiv(y.numel(), 256),)](x, y, x.shape[0], x.shape[1], tile, y.numel(), BLOCK=256)
    return y
