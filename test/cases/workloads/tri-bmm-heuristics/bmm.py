import torch
import triton
import triton.language as tl


@triton.autotune(
    configs=[triton.Config({"TM": 16, "TN": 16, "TK": 16}, num_warps=1), triton.Config({"TM": 32, "TN": 32, "TK": 32}, num_warps=4)],
    key=["M", "N", "K"],
)
@triton.heuristics({
    "DIV_K": lambda a: a["K"] % a["TK"] == 0,
})
@triton.jit
def bmm_kernel(A, B, O, M, N, K, TM: tl.constexpr, TN: tl.constexpr, TK: tl.constexpr, DIV_K: tl.constexpr):
    z = tl.program_id(2)
    A += z * M * K
    B += z * K * N
    O += z * M * N
    m = tl.program_id(0) * TM + tl.arange(0, TM)
    n = tl.program_id(1) * TN + tl.arange(0, TN)
    k = tl.arange(0, TK)
    o = tl.zeros((TM, TN), dtype=tl.float32)
    for start in range(0, K, TK):
        kk = start + k
        if DIV_K:
            am = (m < M)[:, None]
            bm = (n < N)[None, :]
        else:
            am = (m < M)[:, None] & (kk < K)[None, :]
            bm = (kk < K)[:, None] & (n < N)[None, :]
        a = tl.load(A + m[:, None] * K + kk[None, :], mask=am, other=0.0)
        b = tl.load(B + kk[:, None] * N + n[None, :], mask=bm, other=0.0)
        o += tl.dot(a, b, input_precision="ieee")
    tl.store(O + m[:, None] * N + n[None, :], o, mask=(m < M)[:, None] & (n < N)[None, :])


def bmm(A, B):
    batch, M, K = A.shape
    _, _, N = B.shape
    out = torch.empty((batch, M, N), dtype=A.dtype, device=A.device)
    grid = lambda meta: (triton.cdiv(M, meta["TM"]), triton.cdiv(N, meta["TN"]), batch)
    bmm_kernel[grid](A.contiguous(), B.contiguous(), out, M, N, K)
    return out
