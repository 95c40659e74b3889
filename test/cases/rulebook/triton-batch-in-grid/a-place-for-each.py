#@case {"kernel": "cut", "launches": [{"blocks": 16, "threadsPerBlock": 128, "registersPerThread": 16, "sharedBytes": 0, "footprintBytes": 8192, "times": 8, "bound": {"gpu": "A100-40GB-SXM", "nanoseconds": 1000, "terms": {}}}]}
import torch
import triton
import triton.language as tl


@triton.jit(do_not_specialize=["top", "left", "flip"])
def cut(image, out, top, left, flip, width, size, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)  #@ instructions=900
    inside = at < size * size
    x = tl.where(flip != 0, size - 1 - at % size, at % size) + left
    value = tl.load(image + (at // size + top) * width + x, mask=inside)
    tl.store(out + at, value, mask=inside)


def cut_all(images, places, size=16):
    count, height, width = images.shape
    out = torch.empty((count, size, size), device=images.device)
    grid = (triton.cdiv(size * size, 256),)
    for i, (top, left, flip) in enumerate(places):
        assert 0 <= top <= height - size and 0 <= left <= width - size
        cut[grid](images[i], out[i], top, left, int(flip), width, size, BLOCK=256)
    return out
