#@case {"kernel": "product"}
import torch
import triton
import triton.language as tl


@triton.jit
def product(a_ptr, b_ptr, o_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pid = tl.program_id(0)
    across = tl.cdiv(N, BN)
    rm = (pid // across) * BM + tl.arange(0, BM)
    rn = (pid % across) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        a = tl.load(a_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)  #@ globalLoadSectors=8192 globalLoadSectorsIdeal=8192
        b = tl.load(b_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)  #@ globalLoadSectors=8192 globalLoadSectorsIdeal=8192
        acc = tl.dot(a, b, acc)
    tl.store(o_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


def multiply(a, b):
    m, k = a.shape
    n = b.shape[1]
    out = torch.empty((m, n), device=a.device)
    tiles = dict(BM=16, BN=32, BK=32)
    grid = (triton.cdiv(m, tiles["BM"]) * triton.cdiv(n, tiles["BN"]),)
    product[grid](a, b, out, m, n, k, **tiles)
    return out
