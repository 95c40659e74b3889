import torch
import triton
import triton.language as tl


DT = tl.constexpr(tl.float64)


@triton.jit
def _matern(d, ell, DTYPE: tl.constexpr):
    r = tl.sqrt(d) / ell
    s = tl.full(r.shape, 1.7320508075688772, DTYPE) * r
    return (1.0 + s) * tl.exp(-s)


@triton.jit
def matern_kernel(x_ptr, z_ptr, k_ptr, n, m, ell, BN: tl.constexpr, BM: tl.constexpr, DTYPE: tl.constexpr):
    i = tl.program_id(0) * BN + tl.arange(0, BN)
    j = tl.program_id(1) * BM + tl.arange(0, BM)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(DTYPE)
    z = tl.load(z_ptr + j, mask=j < m, other=0.0).to(DTYPE)
    diff = x[:, None] - z[None, :]
    k = _matern(diff * diff, ell, DTYPE)
    tl.store(k_ptr + i[:, None] * m + j[None, :], k.to(tl.float32), mask=(i[:, None] < n) & (j[None, :] < m))


def matern(x, z, ell):
    n, m = x.numel(), z.numel()
    k = torch.empty((n, m), device=x.device, dtype=x.dtype)
    grid = (triton.cdiv(n, 16), triton.cdiv(m, 64))
    matern_kernel[grid](x, z, k, n, m, ell, BN=16, BM=64, DTYPE=tl.float64)
    return k
