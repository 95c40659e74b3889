import torch
import triton
import triton.language as tl


@triton.jit
def causal_conv1d_kernel(x, w, b, y, T, C, W: tl.constexpr, BT: tl.constexpr, BC: tl.constexpr):
    i_c, i_t, i_b = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    c = i_c * BC + tl.arange(0, BC)
    t = i_t * BT + tl.arange(0, BT)
    mc = c < C
    acc = tl.zeros([BT, BC], dtype=tl.float32)
    for k in tl.static_range(W):
        src = t - (W - 1) + k
        m = (src >= 0) & (src < T)
        v = tl.load(x + (i_b * T + src)[:, None] * C + c[None, :], mask=m[:, None] & mc[None, :], other=0.)
        acc += v * tl.load(w + c * W + k, mask=mc, other=0.)[None, :]
    acc += tl.load(b + c, mask=mc, other=0.)[None, :]
    acc = acc * tl.sigmoid(acc)
    tl.store(y + (i_b * T + t)[:, None] * C + c[None, :], acc, mask=(t < T)[:, None] & mc[None, :])


def causal_conv1d(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """x: [B, T, C], weight: [C, W], bias: [C]; SiLU at the end"""
    B, T, C = x.shape
    W = weight.shape[1]
    y = torch.empty_like(x)
    BC = min(64, triton.next_power_of_2(C))
    grid = (triton.cdiv(C, BC), triton.cdiv(T, 32), B)
    causal_conv1d_kernel[grid](x, weight, bias, y, T, C, W=W, BT=32, BC=BC)
    return y
