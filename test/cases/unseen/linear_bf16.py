import torch
import triton
import triton.language as tl


@triton.jit
def linear_fwd(
    x_ptr, w_ptr, out_ptr,
    M, N, K,
    sxm, sxk, swn, swk, som, son,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr,
):
    pid = tl.program_id(axis=0)
    tiles_m = tl.cdiv(M, BM)
    tiles_n = tl.cdiv(N, BN)
    per_group = GROUP * tiles_n
    group = pid // per_group
    first_m = group * GROUP
    size_m = min(tiles_m - first_m, GROUP)
    pid_m = first_m + (pid % per_group) % size_m
    pid_n = (pid % per_group) // size_m
    rm = pid_m * BM + tl.arange(0, BM)
    rn = pid_n * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        kk = k * BK + rk
        x = tl.load(x_ptr + rm[:, None] * sxm + kk[None, :] * sxk, mask=(rm[:, None] < M) & (kk[None, :] < K), other=0.0)
        w = tl.load(w_ptr + kk[:, None] * swk + rn[None, :] * swn, mask=(kk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(x, w, acc)
    tl.store(out_ptr + rm[:, None] * som + rn[None, :] * son, acc.to(tl.bfloat16), mask=(rm[:, None] < M) & (rn[None, :] < N))


def linear(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """x @ weight.T"""
    m, k = x.shape
    n, _ = weight.shape
    out = torch.empty((m, n), device=x.device, dtype=x.dtype)
    config = dict(BM=16, BN=32, BK=32, GROUP=8)
    grid = (triton.cdiv(m, config["BM"]) * triton.cdiv(n, config["BN"]),)
    linear_fwd[grid](
        x, weight, out, m, n, k,
        x.stride(0), x.stride(1), weight.stride(0), weight.stride(1), out.stride(0), out.stride(1),
        **config,
    )
    return out
