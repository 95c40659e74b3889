#@case {"kernel": "group_step", "launches": [{"blocks": 8, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.jit
def group_step(Q, K, V, Out, Lse, Lengths, limit, ROWS: tl.constexpr, DIM: tl.constexpr, BLOCK: tl.constexpr):
    """One step of decoding for the heads that share keys."""
    batch = tl.program_id(0)
    group = tl.program_id(1)
    groups = tl.num_programs(1)
    length = tl.load(Lengths + batch)
    if length == 0:
        return
    rows = tl.arange(0, ROWS)
    dims = tl.arange(0, DIM)
    base = (batch * groups + group) * ROWS
    q = tl.load(Q + (base + rows[:, None]) * DIM + dims[None, :])
    k_ptrs = K + (batch * limit + tl.arange(0, BLOCK)[None, :]) * DIM + dims[:, None]
    v_ptrs = V + (batch * limit + tl.arange(0, BLOCK)[:, None]) * DIM + dims[None, :]
    m_i = tl.full((ROWS,), float("-inf"), dtype=tl.float32)
    l_i = tl.zeros((ROWS,), dtype=tl.float32)
    acc = tl.zeros((ROWS, DIM), dtype=tl.float32)
    for start in range(0, length, BLOCK):
        inside = start + tl.arange(0, BLOCK) < length
        k = tl.load(k_ptrs, mask=inside[None, :], other=0.0)
        scores = tl.where(inside[None, :], tl.dot(q, k), float("-inf"))  #@ instructions=7000
        m_new = tl.maximum(tl.max(scores, 1), m_i)
        p = tl.math.exp2(scores - m_new[:, None])
        acc *= tl.math.exp2(m_i - m_new)[:, None]
        l_i *= tl.math.exp2(m_i - m_new)
        l_i += tl.sum(p, 1)
        v = tl.load(v_ptrs, mask=inside[:, None], other=0.0)
        acc = tl.dot(p.to(v.dtype), v, acc=acc)
        m_i = m_new
        k_ptrs += BLOCK * DIM
        v_ptrs += BLOCK * DIM
    acc = acc / l_i[:, None]
    tl.store(Lse + base + rows, m_i + tl.log2(l_i))
    tl.store(Out + (base + rows[:, None]) * DIM + dims[None, :], acc.to(Out.dtype.element_ty))


class Decoder:
    def __init__(self, rows):
        self.rows = rows

    def step(self, q, k, v, lengths):
        batch, heads, dim = q.shape
        out = torch.empty_like(q)
        lse = torch.empty(batch, heads, device=q.device, dtype=torch.float32)
        grid = (batch, heads // self.rows)
        group_step[grid](
            q,
            k,
            v,
            out,
            lse,
            lengths,
            k.shape[1],
            ROWS=self.rows,
            DIM=dim,
            BLOCK=32,
        )
        return out, lse
