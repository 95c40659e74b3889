"""Instance statistics of a teacher, applied to feature maps [N, C, H, W] with a hard sigmoid."""
import torch
import triton
import triton.language as tl


@triton.jit
def normalize_planes(x_ptr, gain_ptr, bias_ptr, y_ptr, channels, area, TILE: tl.constexpr):
    plane = tl.program_id(0)
    channel = plane % channels
    gain = tl.load(gain_ptr + channel)
    bias = tl.load(bias_ptr + channel)
    at = tl.program_id(1) * TILE + tl.arange(0, TILE)
    inside = at < area
    x = tl.load(x_ptr + plane * area + at, mask=inside, other=0.0).to(tl.float32)
    y = tl.minimum(tl.maximum(x * gain + bias + 3.0, 0.0), 6.0) / 6.0
    tl.store(y_ptr + plane * area + at, y.to(tl.float16), mask=inside)


class TeacherNorm(torch.nn.Module):
    def __init__(self, mean, variance, weight, bias, eps=1e-5):
        super().__init__()
        inverse = torch.rsqrt(variance.float() + eps)
        self.register_buffer("gain", weight.float() * inverse)
        self.register_buffer("bias", bias.float() - mean.float() * weight.float() * inverse)

    def forward(self, maps):
        maps = maps.contiguous()
        n, c, h, w = maps.shape
        out = torch.empty_like(maps)
        normalize_planes[(n * c, triton.cdiv(h * w, 512))](maps, self.gain, self.bias, out, c, h * w, TILE=512)
        return out
