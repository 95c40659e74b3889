#@case {"kernel": "decode_attn"}
import torch
import triton
import triton.language as tl


@triton.jit
def decode_attn(q_ptr, k_ptr, v_ptr, o_ptr, S, scale, D: tl.constexpr, BLOCK_S: tl.constexpr):
    bh = tl.program_id(0)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + bh * D + d)
    m = -float("inf")
    l = 0.0
    acc = tl.zeros([D], dtype=tl.float32)
    for s0 in range(0, S, BLOCK_S):
        s = s0 + tl.arange(0, BLOCK_S)
        k = tl.load(k_ptr + bh * S * D + s[:, None] * D + d[None, :], mask=s[:, None] < S, other=0.0)  #@ globalLoadSectors=4096
        score = tl.sum(q[None, :] * k, axis=1) * scale
        score = tl.where(s < S, score, -float("inf"))
        m_new = tl.maximum(m, tl.max(score, axis=0))
        p = tl.exp(score - m_new)
        corr = tl.exp(m - m_new)
        v = tl.load(v_ptr + bh * S * D + s[:, None] * D + d[None, :], mask=s[:, None] < S, other=0.0)
        acc = acc * corr + tl.sum(p[:, None] * v, axis=0)
        l = l * corr + tl.sum(p, axis=0)
        m = m_new
    tl.store(o_ptr + bh * D + d, acc / l)


def gqa_decode(q, k, v):
    """q: (B, Hq, D); k, v: (B, Hkv, S, D)"""
    B, Hq, D = q.shape
    Hkv, S = k.shape[1], k.shape[2]
    rep = Hq // Hkv
    k = k.repeat_interleave(rep, dim=1)
    v = v.repeat_interleave(rep, dim=1)
    o = torch.empty_like(q)
    decode_attn[(B * Hq,)](q, k, v, o, S, D ** -0.5, D=D, BLOCK_S=64)
    return o
