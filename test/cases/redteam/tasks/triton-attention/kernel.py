import torch
import triton
import triton.language as tl


@triton.jit
def attention_kernel(q, k, v, out, n, DEPTH: tl.constexpr, BLOCK: tl.constexpr):
    """Each query looks at the keys up to its own place; one program per query."""
    query = tl.program_id(0)
    depth = tl.arange(0, DEPTH)
    mine = tl.load(q + query * DEPTH + depth)
    largest = float("-inf")
    for start in range(0, query + 1, BLOCK):
        key = start + tl.arange(0, BLOCK)
        keys = tl.load(k + key[:, None] * DEPTH + depth[None, :], mask=key[:, None] <= query, other=0.0)
        scores = tl.where(key <= query, tl.sum(keys * mine[None, :], axis=1), float("-inf"))
        largest = tl.maximum(largest, tl.max(scores, axis=0))
    total = 0.0
    result = tl.zeros((DEPTH,), dtype=tl.float32)
    for start in range(0, query + 1, BLOCK):
        key = start + tl.arange(0, BLOCK)
        keys = tl.load(k + key[:, None] * DEPTH + depth[None, :], mask=key[:, None] <= query, other=0.0)
        scores = tl.where(key <= query, tl.sum(keys * mine[None, :], axis=1), float("-inf"))
        weights = tl.exp(scores - largest)
        values = tl.load(v + key[:, None] * DEPTH + depth[None, :], mask=key[:, None] <= query, other=0.0)
        total += tl.sum(weights, axis=0)
        result += tl.sum(weights[:, None] * values, axis=0)
    tl.store(out + query * DEPTH + depth, result / total)


def attention(q, k, v):
    out = torch.empty_like(q)
    attention_kernel[(q.shape[0],)](q, k, v, out, q.shape[0], DEPTH=32, BLOCK=16)
    return out
