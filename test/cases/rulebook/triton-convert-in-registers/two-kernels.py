#@case {"kernel": "scale_rows", "copies": 300}
import torch
import triton
import triton.language as tl


@triton.jit
def row_peaks(src, peaks, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(src + row * n + i, mask=i < n, other=0.0)
    tl.store(peaks + row, tl.max(tl.abs(v), axis=0))


@triton.jit
def scale_rows(src, peaks, dst, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(src + row * n + i, mask=i < n, other=0.0).to(tl.float32)  #@ globalLoadSectors=1000
    peak = tl.load(peaks + row)
    tl.store(dst + row * n + i, v / peak, mask=i < n)


def normalize(x):
    rows, n = x.shape
    wide = x.float()
    scaled = torch.empty_like(wide)
    peaks = torch.empty(rows, device=x.device, dtype=torch.float32)
    row_peaks[(rows,)](wide, peaks, n, BLOCK=triton.next_power_of_2(n))
    scale_rows[(rows,)](wide, peaks, scaled, n, BLOCK=triton.next_power_of_2(n))
    return scaled.to(x.dtype)
