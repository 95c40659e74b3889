import torch
import triton
import triton.language as tl

CHUNK = 32


@triton.jit
def _seeded_scale(src, dst, length, factor, SIZE: tl.constexpr):
    start = tl.program_id(axis=0) * SIZE
    idx = start + tl.arange(0, SIZE)
    ok = idx < length
    tl.store(dst + idx, tl.where(idx % 2 == 0, tl.load(src + idx, mask=ok) * factor, 0.0), mask=ok)


def scale_even(src: torch.Tensor, factor: float) -> torch.Tensor:
    dst = torch.empty_like(src)
    length = src.numel()
    programs = (length + CHUNK - 1) // CHUNK
    _seeded_scale[(programs, 1, 1)](src, dst, length, factor, CHUNK)
    return dst
