#@case {"kernel": "fade", "launches": [{"blocks": 64, "threadsPerBlock": 128, "times": 1}]}
import torch
import triton
import triton.language as tl


@triton.jit
def fade(x, out, SPAN: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, SPAN)
    curve = tl.exp2(-at / 16.0)  #@ instructions=8000
    value = tl.load(x + row * SPAN + at)  #@ instructions=2000
    tl.store(out + row * SPAN + at, value * curve)  #@ instructions=2000


def faded(x):
    out = torch.empty_like(x)
    fade[(x.shape[0],)](x, out, SPAN=256)
    return out
