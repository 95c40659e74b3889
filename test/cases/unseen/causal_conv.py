import torch
import triton
import triton.language as tl


@triton.jit
def causal_conv_kernel(
    x_ptr,  # (batch, length, dim)
    w_ptr,  # (dim, WIDTH)
    bias_ptr,  # (dim,)
    o_ptr,
    length, dim,
    stride_b, stride_l, stride_d,
    WIDTH: tl.constexpr, BLOCK_L: tl.constexpr,
):
    """Depthwise causal convolution along the sequence, then SiLU (the short convolution of a Mamba block)."""
    d = tl.program_id(0)
    b = tl.program_id(2)
    t = tl.program_id(1) * BLOCK_L + tl.arange(0, BLOCK_L)
    base = x_ptr + b * stride_b + d * stride_d
    acc = tl.zeros((BLOCK_L,), dtype=tl.float32) + tl.load(bias_ptr + d)
    for i in tl.static_range(WIDTH):
        src = t - (WIDTH - 1) + i
        x = tl.load(base + src * stride_l, mask=(src >= 0) & (src < length), other=0.0)
        acc += x * tl.load(w_ptr + d * WIDTH + i)
    acc = acc / (1 + tl.exp(-acc))
    tl.store(o_ptr + b * stride_b + d * stride_d + t * stride_l, acc, mask=t < length)


def causal_conv(x, weight, bias):
    batch, length, dim = x.shape
    out = torch.empty_like(x)
    grid = (dim, triton.cdiv(length, 128), batch)
    causal_conv_kernel[grid](
        x, weight, bias, out, length, dim, x.stride(0), x.stride(1), x.stride(2),
        WIDTH=weight.shape[1], BLOCK_L=128, num_warps=4,
    )
    return out


class ShortConv(torch.nn.Module):
    def __init__(self, dim, width=4):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(dim, width) * 0.3)
        self.bias = torch.nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return causal_conv(x.contiguous(), self.weight, self.bias)


if __name__ == "__main__":
    torch.manual_seed(0)
    conv = ShortConv(192).cuda()
    x = torch.randn(2, 500, 192, device="cuda")
    ref = torch.nn.functional.conv1d(x.transpose(1, 2), conv.weight[:, None], conv.bias, padding=3, groups=192)
    ref = torch.nn.functional.silu(ref[..., :500]).transpose(1, 2)
    torch.testing.assert_close(conv(x), ref, rtol=1e-3, atol=1e-3)
    print("ok")
