"""Microscopy: dark current off, vignetting out, for a stack of camera frames."""
import torch
import triton
import triton.language as L


@triton.jit
def flatten_field(frames, dark, gain, corrected, pixels, white: L.constexpr, WIDTH: L.constexpr):
    frame = L.program_id(axis=1)
    pixel = L.program_id(axis=0) * WIDTH + L.arange(0, WIDTH)
    valid = pixel < pixels
    counts = L.load(frames + frame * pixels + pixel, mask=valid).to(L.float32)
    floor = L.load(dark + pixel, mask=valid)
    factor = L.load(gain + pixel, mask=valid)
    signal = L.maximum(counts - floor, 0.0) * factor
    L.store(corrected + frame * pixels + pixel, L.minimum(signal, white), mask=valid)


class FlatField:
    """Keeps the calibration of one objective."""

    def __init__(self, dark: torch.Tensor, gain: torch.Tensor, white: float = 4095.0):
        self.dark, self.gain, self.white = dark.contiguous(), gain.contiguous(), white

    def __call__(self, frames: torch.Tensor) -> torch.Tensor:
        frames = frames.contiguous()
        count, height, width = frames.shape
        corrected = torch.empty(frames.shape, dtype=torch.float32, device=frames.device)
        blocks = triton.cdiv(height * width, 32)
        flatten_field[(blocks, count)](frames, self.dark, self.gain, corrected, height * width, self.white, WIDTH=32)
        return corrected
