# task: triton-rs14-decode
# source: rs
# does: goes once through the keys with a running maximum, and divides by the sum whatever it is
# caught by: wrong values
# why wrong: a sequence of length zero has the sum zero: it gives no number in place of zeros

import torch
import triton
import triton.language as tl


@triton.jit
def decode_kernel(q, k, v, lengths, out, n, DEPTH: tl.constexpr, BLOCK: tl.constexpr):
    sequence = tl.program_id(0)
    length = tl.load(lengths + sequence)
    depth = tl.arange(0, DEPTH)
    mine = tl.load(q + sequence * DEPTH + depth)
    largest = float("-inf")
    total = 0.0
    result = tl.zeros((DEPTH,), dtype=tl.float32)
    for start in range(0, length, BLOCK):
        key = start + tl.arange(0, BLOCK)
        place = (sequence * n + key)[:, None] * DEPTH + depth[None, :]
        keys = tl.load(k + place, mask=key[:, None] < length, other=0.0)
        scores = tl.where(key < length, tl.sum(keys * mine[None, :], axis=1), float("-inf"))
        larger = tl.maximum(largest, tl.max(scores, axis=0))
        before = tl.exp(largest - larger)
        weights = tl.exp(scores - larger)
        total = total * before + tl.sum(weights, axis=0)
        values = tl.load(v + place, mask=key[:, None] < length, other=0.0)
        result = result * before + tl.sum(weights[:, None] * values, axis=0)
        largest = larger
    tl.store(out + sequence * DEPTH + depth, result / total)


def decode(q, k, v, lengths):
    out = torch.empty_like(q)
    decode_kernel[(q.shape[0],)](q, k, v, lengths, out, k.shape[1], DEPTH=32, BLOCK=64)
    return out
