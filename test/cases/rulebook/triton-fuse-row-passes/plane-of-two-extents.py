#@case {"kernel": "center", "launches": [{"blocks": 64, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.jit
def center(x, y, plane, BLOCK: tl.constexpr):
    p = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for off in range(0, plane, BLOCK):
        m = off + lanes < plane
        total += tl.load(x + p * plane + off + lanes, mask=m, other=0.0)  #@ globalLoadSectors=70000
    mean = tl.sum(total) / plane
    for off in range(0, plane, BLOCK):
        m = off + lanes < plane
        v = tl.load(x + p * plane + off + lanes, mask=m, other=0.0)  #@ globalLoadSectors=70000 globalBytesRequested=2359296
        tl.store(y + p * plane + off + lanes, v - mean, mask=m)


def run(x):
    b, h, w = x.shape
    y = torch.empty_like(x)
    center[(b,)](x, y, h * w, BLOCK=1024)
    return y
