#@case {"kernel": "scale_rows", "copies": 300}
import torch
import triton
import triton.language as tl


@triton.jit
def clamp_rows(src, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(src + row * n + i, mask=i < n, other=0.0)
    tl.store(src + row * n + i, tl.minimum(v, 1.0), mask=i < n)


@triton.jit
def scale_rows(src, dst, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(src + row * n + i, mask=i < n, other=0.0)  #@ globalLoadSectors=1000
    tl.store(dst + row * n + i, v * 2.0, mask=i < n)


def normalize(x):
    rows, n = x.shape
    wide = x.float()
    scaled = torch.empty_like(wide)
    clamp_rows[(rows,)](wide, n, BLOCK=triton.next_power_of_2(n))
    scale_rows[(rows,)](wide, scaled, n, BLOCK=triton.next_power_of_2(n))
    return scaled.to(x.dtype)
