"""Scores of queries against passages whose tokens meet late: the best match of each query token, added up."""
import torch
import triton
import triton.language as tl


@triton.jit
def _late_scores(q_ptr, d_ptr, score_ptr, n_query, n_tokens, DIM: tl.constexpr, BQ: tl.constexpr, BT: tl.constexpr):
    passage = tl.program_id(0)
    rows = tl.arange(0, BQ)
    best = tl.full((BQ,), -1e30, dtype=tl.float32)
    for start in range(0, n_tokens, BT):
        cols = start + tl.arange(0, BT)
        dots = tl.zeros((BQ, BT), dtype=tl.float32)
        for c in range(0, DIM, 16):
            feat = c + tl.arange(0, 16)
            q = tl.load(q_ptr + rows[:, None] * DIM + feat[None, :], mask=rows[:, None] < n_query, other=0.0)
            d = tl.load(
                d_ptr + (passage * n_tokens + cols[:, None]) * DIM + feat[None, :],
                mask=cols[:, None] < n_tokens,
                other=0.0,
            )
            dots += tl.sum(q[:, None, :] * d[None, :, :], axis=2)
        dots = tl.where(cols[None, :] < n_tokens, dots, -1e30)
        best = tl.maximum(best, tl.max(dots, axis=1))
    tl.store(score_ptr + passage, tl.sum(tl.where(rows < n_query, best, 0.0), axis=0))


def late_scores(query: torch.Tensor, passages: torch.Tensor) -> torch.Tensor:
    """query (n_query, dim), passages (n_passages, n_tokens, dim), both float32."""
    n_query, dim = query.shape
    n_passages, n_tokens, _ = passages.shape
    assert dim % 16 == 0
    scores = torch.empty(n_passages, device=query.device, dtype=torch.float32)
    _late_scores[(n_passages,)](
        query, passages, scores, n_query, n_tokens, DIM=dim, BQ=max(16, triton.next_power_of_2(n_query)), BT=16
    )
    return scores
