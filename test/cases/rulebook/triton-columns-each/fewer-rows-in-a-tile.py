#@case {"kernel": "calibrate"}
import torch
import triton
import triton.language as tl


@triton.jit
def calibrate(x, gain, y, n, channels, SAMPLES: tl.constexpr):
    channel = tl.program_id(1)
    at = tl.program_id(0) * SAMPLES + tl.arange(0, SAMPLES)
    v = tl.load(x + at * channels + channel, mask=at < n, other=0.0)  #@ globalLoadSectors=4000 globalLoadSectorsIdeal=500
    tl.store(y + at * channels + channel, v * tl.load(gain + channel), mask=at < n)


def run(x, gain):
    n, channels = x.shape
    y = torch.empty_like(x)
    grid = (triton.cdiv(n, 2048), channels)
    calibrate[grid](x, gain, y, n, channels, SAMPLES=2048)
    return y
