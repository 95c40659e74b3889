#@case {"kernel": "loudness", "launches": [{"blocks": 16384, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.jit
def loudness(signal, out, length, PIECE: tl.constexpr):
    row = tl.program_id(0)
    at = tl.program_id(1) * PIECE + tl.arange(0, PIECE)
    value = tl.load(signal + row * length + at, mask=at < length, other=0.0)
    tl.atomic_add(out + row, tl.sum(value * value, axis=0), sem="relaxed")  #@ globalAtomicPasses=16384


def run(signal):
    rows, length = signal.shape
    out = torch.zeros(rows, device=signal.device)
    if rows and length:
        loudness[(rows, triton.cdiv(length, 256))](signal, out, length, PIECE=256)
    return out
