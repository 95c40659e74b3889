import torch
import triton
import triton.language as tl


@triton.jit
def proj_kernel(x_ptr, w_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(K):
        xk = tl.load(x_ptr + rm * K + k, mask=rm < M, other=0.0)
        wk = tl.load(w_ptr + k * N + rn, mask=rn < N, other=0.0)
        acc += xk[:, None].to(tl.float32) * wk[None, :].to(tl.float32)
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc.to(tl.float16), mask=(rm[:, None] < M) & (rn[None, :] < N))


def project(x, w):
    M, K = x.shape
    N = w.shape[1]
    y = torch.empty((M, N), device=x.device, dtype=torch.float16)
    proj_kernel[(triton.cdiv(M, 32), triton.cdiv(N, 64))](x, w, y, M, N, K, BM=32, BN=64)
    return y
