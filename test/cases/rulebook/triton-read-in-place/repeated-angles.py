#@case {"kernel": "rope_kernel"}
import torch
import triton
import triton.language as tl


@triton.jit
def rope_kernel(x_ptr, cos_ptr, sin_ptr, o_ptr, rows, D, HALF: tl.constexpr):
    r = tl.program_id(0)
    h = tl.arange(0, HALF)
    a = tl.load(x_ptr + r * D + h)  #@ globalLoadSectors=4096
    b = tl.load(x_ptr + r * D + HALF + h)
    c = tl.load(cos_ptr + r * HALF + h)
    s = tl.load(sin_ptr + r * HALF + h)
    tl.store(o_ptr + r * D + h, a * c - b * s)
    tl.store(o_ptr + r * D + HALF + h, a * s + b * c)


def apply_rope(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """x: (batch, seq, heads, dim); cos, sin: (seq, dim // 2)"""
    b, t, n, d = x.shape
    cos_full = cos[None, :, None, :].expand(b, t, n, d // 2).contiguous()
    sin_full = sin[None, :, None, :].expand(b, t, n, d // 2).contiguous()
    out = torch.empty_like(x)
    rope_kernel[(b * t * n,)](x, cos_full, sin_full, out, b * t * n, d, HALF=d // 2)
    return out


def main():
    x = torch.randn(2, 128, 8, 64, device="cuda")
    ang = torch.rand(128, 32, device="cuda")
    y = apply_rope(x, ang.cos(), ang.sin())
    print(y.shape)


if __name__ == "__main__":
    main()
