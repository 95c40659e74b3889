import torch
import triton
import triton.language as tl


@triton.jit
def stretch_kernel(pixels, stretched, count, low, factor, SPAN: tl.constexpr):
    at = tl.program_id(0) * SPAN + tl.arange(0, SPAN)
    inside = at < count
    value = (tl.load(pixels + at, mask=inside) - low) * factor
    tl.store(stretched + at, tl.minimum(tl.maximum(value, 0.0), 1.0), mask=inside)


def stretch(pixels: torch.Tensor, low: float, high: float) -> torch.Tensor:
    """Contrast between two levels, over the whole range."""
    stretched = torch.empty_like(pixels)
    count = pixels.numel()
    stretch_kernel[(triton.cdiv(count, 512),)](pixels, stretched, count, low, 1.0 / (high - low), SPAN=512)
    return stretched
