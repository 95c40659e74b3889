# task: triton-attention
# does: sixteen queries at a time in one pass to the base of two, which leaves out blocks of keys that none of them may see and masks only the last

import torch
import triton
import triton.language as tl


@triton.jit
def attention_kernel(q, k, v, out, n, DEPTH: tl.constexpr, BLOCK: tl.constexpr):
    # Those with most to do start first.
    first = (tl.num_programs(0) - 1 - tl.program_id(0)) * BLOCK
    query = first + tl.arange(0, BLOCK)
    depth = tl.arange(0, DEPTH)
    mine = tl.load(q + query[:, None] * DEPTH + depth[None, :], mask=query[:, None] < n, other=0.0)
    largest = tl.full((BLOCK,), float("-inf"), dtype=tl.float32)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    result = tl.zeros((BLOCK, DEPTH), dtype=tl.float32)
    for start in range(0, first + BLOCK, BLOCK):
        key = start + tl.arange(0, BLOCK)
        keys = tl.load(k + key[None, :] * DEPTH + depth[:, None], mask=key[None, :] < n, other=0.0)
        scores = tl.dot(mine, keys, input_precision="ieee") * 1.4426950408889634
        if start == first:
            scores = tl.where(key[None, :] <= query[:, None], scores, float("-inf"))
        larger = tl.maximum(largest, tl.max(scores, axis=1))
        shrink = tl.exp2(largest - larger)
        weights = tl.exp2(scores - larger[:, None])
        values = tl.load(v + key[:, None] * DEPTH + depth[None, :], mask=key[:, None] < n, other=0.0)
        total = total * shrink + tl.sum(weights, axis=1)
        result = result * shrink[:, None] + tl.dot(weights, values, input_precision="ieee")
        largest = larger
    tl.store(out + query[:, None] * DEPTH + depth[None, :], result / total[:, None], mask=query[:, None] < n)


def attention(q, k, v):
    out = torch.empty_like(q)
    n = q.shape[0]
    attention_kernel[(triton.cdiv(n, 16),)](q, k, v, out, n, DEPTH=32, BLOCK=16)
    return out
