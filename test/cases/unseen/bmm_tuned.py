"""Batched matmul for the attention probabilities, fp16, tuned over a few tilings."""

import torch
import triton
import triton.language as tl


def configs():
    return [
        triton.Config({"TM": 16, "TN": 16, "TK": 16}, num_warps=1, num_stages=2),
        triton.Config({"TM": 16, "TN": 32, "TK": 16}, num_warps=2, num_stages=2),
    ]


@triton.autotune(configs=configs(), key=["m", "n", "k"])
@triton.jit
def bmm_kernel(a, b, out, m, n, k, TM: tl.constexpr, TN: tl.constexpr, TK: tl.constexpr):
    batch = tl.program_id(2)
    rm = tl.program_id(0) * TM + tl.arange(0, TM)
    rn = tl.program_id(1) * TN + tl.arange(0, TN)
    rk = tl.arange(0, TK)
    a_tile = a + batch * m * k + rm[:, None] * k + rk[None, :]
    b_tile = b + batch * k * n + rk[:, None] * n + rn[None, :]
    total = tl.zeros((TM, TN), tl.float32)
    for left in range(k, 0, -TK):
        x = tl.load(a_tile, mask=(rm[:, None] < m) & (rk[None, :] < left), other=0.0)
        y = tl.load(b_tile, mask=(rk[:, None] < left) & (rn[None, :] < n), other=0.0)
        total = tl.dot(x, y, total)
        a_tile += TK
        b_tile += TK * n
    tl.store(out + batch * m * n + rm[:, None] * n + rn[None, :], total.to(tl.float16),
             mask=(rm[:, None] < m) & (rn[None, :] < n))


def bmm(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    nb, m, k = a.shape
    n = b.shape[2]
    out = torch.empty((nb, m, n), dtype=torch.float16, device=a.device)
    bmm_kernel[lambda meta: (triton.cdiv(m, meta["TM"]), triton.cdiv(n, meta["TN"]), nb)](a, b, out, m, n, k)
    return out


def test_bmm():
    a = torch.randn(4, 256, 256, device="cuda", dtype=torch.float16)
    b = torch.randn(4, 256, 192, device="cuda", dtype=torch.float16)
    torch.testing.assert_close(bmm(a, b), a @ b, rtol=1e-2, atol=1e-1)
