# task: triton-attention
# source: k
# does: leaves out blocks of keys that weigh less than a four-hundredth of the heaviest so far
# caught by: wrong values

import torch
import triton
import triton.language as tl


@triton.jit
def attention_kernel(q, k, v, out, n, DEPTH: tl.constexpr, BLOCK: tl.constexpr):
    query = tl.program_id(0)
    depth = tl.arange(0, DEPTH)
    mine = tl.load(q + query * DEPTH + depth)
    largest = float("-inf")
    total = 0.0
    result = tl.zeros((DEPTH,), dtype=tl.float32)
    # From the newest keys back.
    last = query // BLOCK
    for step in range(0, last + 1):
        key = (last - step) * BLOCK + tl.arange(0, BLOCK)
        keys = tl.load(k + key[:, None] * DEPTH + depth[None, :], mask=key[:, None] <= query, other=0.0)
        scores = tl.where(key <= query, tl.sum(keys * mine[None, :], axis=1), float("-inf"))
        here = tl.max(scores, axis=0)
        # exp(-6) is nothing next to one.
        if here > largest - 6.0:
            larger = tl.maximum(largest, here)
            shrink = tl.exp(largest - larger)
            weights = tl.exp(scores - larger)
            values = tl.load(v + key[:, None] * DEPTH + depth[None, :], mask=key[:, None] <= query, other=0.0)
            total = total * shrink + tl.sum(weights, axis=0)
            result = result * shrink + tl.sum(weights[:, None] * values, axis=0)
            largest = larger
    tl.store(out + query * DEPTH + depth, result / total)


def attention(q, k, v):
    out = torch.empty_like(q)
    attention_kernel[(q.shape[0],)](q, k, v, out, q.shape[0], DEPTH=32, BLOCK=8)
    return out
