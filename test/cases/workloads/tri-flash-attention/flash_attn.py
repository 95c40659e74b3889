"""Forward pass of attention with an online softmax."""
import math

import torch
import triton
import triton.language as tl


@triton.jit
def _attn_fwd(
    Q, K, V, Out, Lse,
    sqb, sqh, sqm, skb, skh, skn, svb, svh, svn, sob, soh, som,
    H, M, N, sm_scale,
    CAUSAL: tl.constexpr, D: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
):
    start = tl.program_id(0)
    bh = tl.program_id(1)
    b = bh // H
    h = bh % H
    Q += b * sqb + h * sqh
    K += b * skb + h * skh
    V += b * svb + h * svh
    Out += b * sob + h * soh
    om = start * BLOCK_M + tl.arange(0, BLOCK_M)
    on = tl.arange(0, BLOCK_N)
    od = tl.arange(0, D)
    q = tl.load(Q + om[:, None] * sqm + od[None, :], mask=om[:, None] < M, other=0.0)
    m_i = tl.full([BLOCK_M], float("-inf"), tl.float32)
    l_i = tl.zeros([BLOCK_M], tl.float32)
    acc = tl.zeros([BLOCK_M, D], tl.float32)
    end = tl.minimum((start + 1) * BLOCK_M, N) if CAUSAL else N
    for n in range(0, end, BLOCK_N):
        cols = n + on
        k = tl.load(K + cols[:, None] * skn + od[None, :], mask=cols[:, None] < N, other=0.0)
        s = tl.dot(q, tl.trans(k)) * sm_scale
        ok = cols[None, :] < N
        if CAUSAL:
            ok = ok & (om[:, None] >= cols[None, :])
        s = tl.where(ok, s, float("-inf"))
        m_new = tl.maximum(m_i, tl.max(s, 1))
        p = tl.exp(s - m_new[:, None])
        alpha = tl.exp(m_i - m_new)
        l_i = l_i * alpha + tl.sum(p, 1)
        v = tl.load(V + cols[:, None] * svn + od[None, :], mask=cols[:, None] < N, other=0.0)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
        m_i = m_new
    acc = acc / l_i[:, None]
    tl.store(Out + om[:, None] * som + od[None, :], acc.to(Out.dtype.element_ty), mask=om[:, None] < M)
    tl.store(Lse + bh * M + om, m_i + tl.log(l_i), mask=om < M)


def attention(q, k, v, causal=False):
    B, H, M, D = q.shape
    N = k.shape[2]
    assert D in {16, 32, 64, 128}
    q, k, v = (t.contiguous() for t in (q, k, v))
    out = torch.empty_like(q)
    lse = torch.empty((B, H, M), device=q.device, dtype=torch.float32)
    grid = (triton.cdiv(M, 32), B * H)
    _attn_fwd[grid](
        q, k, v, out, lse,
        *q.stride()[:3], *k.stride()[:3], *v.stride()[:3], *out.stride()[:3],
        H, M, N, 1.0 / math.sqrt(D),
        CAUSAL=causal, D=D, BLOCK_M=32, BLOCK_N=32, num_warps=2,
    )
    return out, lse
