import triton
import triton.language as tl


@triton.jit
def area_under(heights, area, p, q, count, TILE: tl.constexpr):
    total = tl.zeros([TILE], dtype=tl.float32)
    for begin in range(0, count, TILE):
        places = begin + tl.arange(0, TILE)
        inside = places < count
        height = tl.load(heights + places, mask=inside, other=0.0)
        total += height
    whole = tl.sum(total, axis=0)
    tl.store(area, (q - p) * whole / count)
