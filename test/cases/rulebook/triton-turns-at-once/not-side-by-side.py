#@case {"kernel": "energy"}
import torch
import triton
import triton.language as tl


@triton.jit
def energy(spectrum, out, bins, BANDS: tl.constexpr, WIDTH: tl.constexpr):
    frame = tl.program_id(0)
    band = tl.arange(0, BANDS)
    total = tl.zeros((BANDS,), dtype=tl.float32)
    for k in range(0, WIDTH):
        value = tl.load(spectrum + frame * bins + k * BANDS + band)  #@ globalLoadSectors=80000 globalLoadSectorsIdeal=80000
        total += value * value
    tl.store(out + frame * BANDS + band, tl.log(total + 1e-6))


def run(spectrum):
    out = torch.empty(spectrum.shape[0], 16, device=spectrum.device)
    energy[(spectrum.shape[0],)](spectrum, out, spectrum.shape[1], BANDS=16, WIDTH=32)
    return out
