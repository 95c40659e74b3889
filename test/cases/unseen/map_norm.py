import torch
import triton
import triton.language as tl


@triton.jit
def norm_rows(X, Y, W, B, stride, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < N
    x = tl.load(X + row * stride + cols, mask=mask, other=0.0).to(tl.float32)
    mean = tl.sum(x, axis=0) / N
    d = tl.where(mask, x - mean, 0.0)
    var = tl.sum(d * d, axis=0) / N
    y = d * tl.rsqrt(var + eps) * tl.load(W + cols, mask=mask) + tl.load(B + cols, mask=mask)
    tl.store(Y + row * stride + cols, y, mask=mask)


def norm_channels(x, weight, bias, eps: float = 1e-6):
    """LayerNorm over the channels of an NCHW map, tokens first."""
    n, c, h, w = x.shape
    x = x.permute(0, 2, 3, 1).contiguous().view(-1, c)
    y = torch.empty_like(x)
    norm_rows[(x.shape[0],)](x, y, weight, bias, x.stride(0), c, eps,
                             BLOCK=triton.next_power_of_2(c), num_warps=4)
    return y
