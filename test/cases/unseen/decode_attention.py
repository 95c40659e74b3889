"""Attention of one new token over its KV cache (decode step, one sequence)."""

import math

import torch
import triton
import triton.language as tl


@triton.jit
def decode_kernel(Q, K, V, Out, seq_len, sm_scale, stride_kh, stride_ks, D: tl.constexpr, BLOCK_S: tl.constexpr):
    head = tl.program_id(0)
    offs_d = tl.arange(0, D)
    offs_s = tl.arange(0, BLOCK_S)
    q = tl.load(Q + head * D + offs_d).to(tl.float32) * sm_scale
    m_i = float("-inf")
    l_i = 0.0
    acc = tl.zeros([D], dtype=tl.float32)
    for start in range(0, seq_len, BLOCK_S):
        s = start + offs_s
        inside = s < seq_len
        where = head * stride_kh + s[:, None] * stride_ks + offs_d[None, :]
        k = tl.load(K + where, mask=inside[:, None], other=0.0).to(tl.float32)
        qk = tl.sum(q[None, :] * k, axis=1)
        qk = tl.where(inside, qk, float("-inf"))
        m_new = tl.maximum(m_i, tl.max(qk, axis=0))
        alpha = tl.exp(m_i - m_new)
        p = tl.exp(qk - m_new)
        v = tl.load(V + where, mask=inside[:, None], other=0.0).to(tl.float32)
        acc = acc * alpha + tl.sum(p[:, None] * v, axis=0)
        l_i = l_i * alpha + tl.sum(p, axis=0)
        m_i = m_new
    tl.store(Out + head * D + offs_d, (acc / l_i).to(Out.dtype.element_ty))


def decode_attention(q, k, v):
    """q: (heads, d); k, v: (heads, seq, d)"""
    heads, d = q.shape
    out = torch.empty_like(q)
    decode_kernel[(heads,)](q, k, v, out, k.shape[1], 1.0 / math.sqrt(d), k.stride(0), k.stride(1), D=d, BLOCK_S=32)
    return out


if __name__ == "__main__":
    torch.manual_seed(0)
    q = torch.randn(8, 64, device="cuda", dtype=torch.float16)
    k = torch.randn(8, 3000, 64, device="cuda", dtype=torch.float16)
    v = torch.randn(8, 3000, 64, device="cuda", dtype=torch.float16)
    want = torch.softmax(torch.einsum("hd,hsd->hs", q.float(), k.float()) / 8.0, -1)
    want = torch.einsum("hs,hsd->hd", want, v.float())
    torch.testing.assert_close(decode_attention(q, k, v).float(), want, rtol=1e-2, atol=1e-2)
    print("ok")
