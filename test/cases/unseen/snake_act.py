"""Snake activation of the vocoder: x + sin(alpha x)^2 / alpha, alpha per channel."""
import torch
import triton
import triton.language as tl

FRAME = 32  # samples per program


@triton.jit
def snake_fwd(x_ptr, alpha_ptr, y_ptr, channels, samples, numel, eps, FRAME: tl.constexpr):
    offs = tl.program_id(0) * FRAME + tl.arange(0, FRAME)
    inside = offs < numel
    channel = (offs // samples) % channels
    x = tl.load(x_ptr + offs, mask=inside)
    a = tl.load(alpha_ptr + channel, mask=inside, other=1.0)
    s = tl.sin(a * x)
    tl.store(y_ptr + offs, x + s * s / (a + eps), mask=inside)


def snake(x: torch.Tensor, alpha: torch.Tensor, eps: float = 1e-6) -> torch.Tensor:
    batch, channels, samples = x.shape
    y = torch.empty_like(x)
    numel = x.numel()
    grid = (triton.cdiv(numel, FRAME),)
    snake_fwd[grid](x, alpha, y, channels, samples, numel, eps, FRAME=FRAME)
    return y
