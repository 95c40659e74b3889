#@case {"kernel": "affine_planes"}
import torch
import triton
import triton.language as tl


@triton.jit
def affine_planes(x_ptr, gain_ptr, y_ptr, channels, size, TILE: tl.constexpr):
    plane = tl.program_id(0)
    gain = tl.load(gain_ptr + plane % channels)
    at = tl.program_id(1) * TILE + tl.arange(0, TILE)
    inside = at < size
    x = tl.load(x_ptr + plane * size + at, mask=inside, other=0.0)  #@ globalLoadRequests=4096 globalLoadSectors=16384 globalLoadSectorsIdeal=16384 globalBytesRequested=524288
    tl.store(y_ptr + plane * size + at, x * gain, mask=inside)  #@ globalStoreRequests=2048 globalStoreSectors=8192 globalStoreSectorsIdeal=8192 globalBytesRequested=262144


def affine(x, gain):
    y = torch.empty_like(x)
    n, c, h, w = x.shape
    affine_planes[(n * c, triton.cdiv(h * w, 32))](x, gain, y, c, h * w, TILE=32)
    return y
