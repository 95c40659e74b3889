#@case {"kernel": "mix", "launches": [{"blocks": 16384, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.jit
def mix(tracks, weights, out, length, SPAN: tl.constexpr):
    span = tl.program_id(1)
    track = tl.program_id(0)
    at = span * SPAN + tl.arange(0, SPAN)
    inside = at < length
    value = tl.load(tracks + track * length + at, mask=inside, other=0.0) * tl.load(weights + track)
    tl.atomic_add(out + at, value, mask=inside)  #@ globalAtomicPasses=500000


def run(tracks, weights):
    count, length = tracks.shape
    out = tracks.new_zeros(length)
    mix[(count, triton.cdiv(length, 512))](tracks, weights, out, length, SPAN=512)
    return out
