import torch
import triton
import triton.language as tl

# Telephony archive: mu-law bytes back to linear samples in -1 .. 1, as the vocoder wants them.

N_PROGRAMS = 16


@triton.jit
def expand(code):
    signed = code.to(tl.float32) * (2.0 / 255.0) - 1.0
    magnitude = (tl.exp2(8.0 * tl.abs(signed)) - 1.0) / 255.0
    return tl.where(signed < 0, -magnitude, magnitude)


@triton.jit
def mulaw_decode_kernel(codes_ptr, samples_ptr, n_samples, CHUNK: tl.constexpr):
    pid = tl.program_id(axis=0)
    n_chunks = tl.cdiv(n_samples, CHUNK)
    chunk = pid
    while chunk < n_chunks:
        offsets = chunk * CHUNK + tl.arange(0, CHUNK)
        mask = offsets < n_samples
        code = tl.load(codes_ptr + offsets, mask=mask, other=0)
        tl.store(samples_ptr + offsets, expand(code), mask=mask)
        chunk += tl.num_programs(0)


def mulaw_decode(codes: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    if out is None:
        out = torch.empty(codes.shape, dtype=torch.float32, device=codes.device)
    mulaw_decode_kernel[(N_PROGRAMS,)](codes, out, codes.numel(), CHUNK=1024)
    return out
