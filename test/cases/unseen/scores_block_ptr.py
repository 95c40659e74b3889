import torch
import triton
import triton.language as tl


@triton.jit
def qk_scores(
    Q, K, S,
    sqb, sqm, sqd,
    skb, skn, skd,
    ssb, ssm, ssn,
    M, N,
    sm_scale,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, HEAD: tl.constexpr,
):
    start_m = tl.program_id(0)
    start_n = tl.program_id(1)
    off_b = tl.program_id(2)
    q_block = tl.make_block_ptr(
        base=Q + off_b * sqb, shape=(M, HEAD), strides=(sqm, sqd),
        offsets=(start_m * BLOCK_M, 0), block_shape=(BLOCK_M, HEAD), order=(1, 0),
    )
    k_block = tl.make_block_ptr(
        base=K + off_b * skb, shape=(HEAD, N), strides=(skd, skn),
        offsets=(0, start_n * BLOCK_N), block_shape=(HEAD, BLOCK_N), order=(0, 1),
    )
    q = tl.load(q_block, boundary_check=(0,), padding_option="zero").to(tl.float32)
    k = tl.load(k_block, boundary_check=(1,), padding_option="zero").to(tl.float32)
    s = tl.dot(q, k, input_precision="ieee")
    s *= sm_scale
    offs_m = start_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = start_n * BLOCK_N + tl.arange(0, BLOCK_N)
    keep = (offs_m[:, None] < M) & (offs_n[None, :] < N)
    tl.store(S + off_b * ssb + offs_m[:, None] * ssm + offs_n[None, :] * ssn, s, mask=keep)


def scores(q, k):
    B, M, D = q.shape
    N = k.shape[1]
    s = torch.empty((B, M, N), device=q.device, dtype=torch.float32)
    grid = (triton.cdiv(M, 64), triton.cdiv(N, 64), B)
    qk_scores[grid](
        q, k, s,
        q.stride(0), q.stride(1), q.stride(2),
        k.stride(0), k.stride(1), k.stride(2),
        s.stride(0), s.stride(1), s.stride(2),
        M, N, D ** -0.5,
        BLOCK_M=64, BLOCK_N=64, HEAD=D,
    )
    return s
