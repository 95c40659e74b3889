#@case {"kernel": "turn", "launches": [{"blocks": 4096, "threadsPerBlock": 128, "times": 1}]}
import torch
import triton
import triton.language as tl


@triton.jit
def turn(x, out, pairs, PAIRS: tl.constexpr):
    row = tl.program_id(0)
    ring = tl.program_id(1)
    at = tl.arange(0, PAIRS)
    angle = ring * 0.1 + row + at * 0.01
    s = tl.sin(angle)  #@ instructions=8000
    value = tl.load(x + (row * 8 + ring) * PAIRS + at)  #@ instructions=2000
    tl.store(out + (row * 8 + ring) * PAIRS + at, value * s)  #@ instructions=2000


def turned(x):
    out = torch.empty_like(x)
    turn[(x.shape[0], 8)](x, out, x.shape[2], PAIRS=128)
    return out
