# task: triton-attention
# does: sixteen queries go over the keys once, with a running maximum, powers of two of distances from it, and products of tiles in full precision
import torch
import triton
import triton.language as tl


@triton.jit
def attention_kernel(q, k, v, out, n, DEPTH: tl.constexpr, BLOCK: tl.constexpr):
    query = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    depth = tl.arange(0, DEPTH)
    place = query[:, None] * DEPTH + depth[None, :]
    mine = tl.load(q + place, mask=query[:, None] < n, other=0.0)
    largest = tl.full((BLOCK,), float("-inf"), dtype=tl.float32)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    result = tl.zeros((BLOCK, DEPTH), dtype=tl.float32)
    for start in range(0, tl.program_id(0) * BLOCK + 1, BLOCK):
        key = start + tl.arange(0, BLOCK)
        there = key[:, None] < n
        keys = tl.load(k + key[:, None] * DEPTH + depth[None, :], mask=there, other=0.0)
        values = tl.load(v + key[:, None] * DEPTH + depth[None, :], mask=there, other=0.0)
        scores = tl.dot(mine, tl.trans(keys), input_precision="ieee")
        scores = tl.where(key[None, :] <= query[:, None], scores, float("-inf"))
        higher = tl.maximum(largest, tl.max(scores, axis=1))
        # Where all so far is minus infinity, its distance from itself would be no number.
        base = tl.where(higher == float("-inf"), 0.0, higher)
        weights = tl.exp2((scores - base[:, None]) * 1.4426950408889634)
        scale = tl.exp2((largest - base) * 1.4426950408889634)
        total = total * scale + tl.sum(weights, axis=1)
        result = result * scale[:, None] + tl.dot(weights, values, input_precision="ieee")
        largest = higher
    tl.store(out + place, result / total[:, None], mask=query[:, None] < n)


def attention(q, k, v):
    out = torch.empty_like(q)
    n = q.shape[0]
    attention_kernel[(triton.cdiv(n, 16),)](q, k, v, out, n, DEPTH=32, BLOCK=16, num_warps=2)
    return out
