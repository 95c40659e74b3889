"""Flash attention, forward, causal and not, with host-side block pointers."""
import torch

import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def attention_kernel(Q, K, V, O, M, scale, stride_h, stride_m, N_CTX, HEAD_DIM: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, CAUSAL: tl.constexpr):
    start_m = tl.program_id(0)
    head = tl.program_id(1)
    offs_m = start_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_d = tl.arange(0, HEAD_DIM)
    base = head * stride_h
    q = tl.load(Q + base + offs_m[:, None] * stride_m + offs_d[None, :])
    m_i = tl.zeros([BLOCK_M], dtype=tl.float32) - float("inf")
    l_i = tl.zeros([BLOCK_M], dtype=tl.float32) + 1.0
    acc = tl.zeros([BLOCK_M, HEAD_DIM], dtype=tl.float32)
    qk_scale = scale * 1.44269504
    end = (start_m + 1) * BLOCK_M if CAUSAL else N_CTX
    for start_n in range(0, end, BLOCK_N):
        offs_n = start_n + tl.arange(0, BLOCK_N)
        k = tl.load(K + base + offs_n[None, :] * stride_m + offs_d[:, None])
        qk = tl.dot(q, k) * qk_scale
        if CAUSAL:
            qk = qk + tl.where(offs_m[:, None] >= offs_n[None, :], 0, -1.0e6)
        m_ij = tl.maximum(m_i, tl.max(qk, 1))
        p = tl.math.exp2(qk - m_ij[:, None])
        alpha = tl.math.exp2(m_i - m_ij)
        l_i = l_i * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None]
        v = tl.load(V + base + offs_n[:, None] * stride_m + offs_d[None, :])
        acc = tl.dot(p.to(v.dtype), v, acc)
        m_i = m_ij
    # The accumulator starts at one: the first block's factor is zero, so that it does not count.
    tl.store(M + head * N_CTX + offs_m, m_i + tl.math.log2(l_i))
    tl.store(O + base + offs_m[:, None] * stride_m + offs_d[None, :], (acc / l_i[:, None]).to(O.type.element_ty))


def attention(q, k, v, causal, scale):
    heads, length, dim = q.shape
    o = torch.empty_like(q)
    m = torch.empty((heads, length), device=q.device, dtype=torch.float32)
    attention_kernel[(triton.cdiv(length, 32), heads)](q, k, v, o, m, scale, q.stride(0), q.stride(1), length, HEAD_DIM=dim, BLOCK_M=32, BLOCK_N=32, CAUSAL=causal, num_warps=4, num_stages=2)
    return o


torch.manual_seed(20)
q, k, v = (torch.empty((2, 128, 32), dtype=torch.float16, device=DEVICE).normal_(mean=0.0, std=0.5) for _ in range(3))
for causal in (False, True):
    o = attention(q, k, v, causal, 0.5)
    p = torch.matmul(q.float(), k.float().transpose(1, 2)) * 0.5
    if causal:
        p[:, torch.tril(torch.ones((128, 128))) == 0] = float("-inf")
    expected = torch.matmul(torch.softmax(p, dim=-1).half().float(), v.float())
    print("causal" if causal else "full", torch.allclose(o.float(), expected, atol=1e-2, rtol=0))
