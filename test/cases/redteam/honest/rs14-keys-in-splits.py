# task: triton-rs14-decode
# does: splits the keys of a sequence over programs, of which those behind its end say that they have none, and joins the parts in a second kernel

import torch
import triton
import triton.language as tl


@triton.jit
def decode_kernel(q, k, v, lengths, parts, notes, n, piece, DEPTH: tl.constexpr, BLOCK: tl.constexpr):
    sequence, split = tl.program_id(0), tl.program_id(1)
    length = tl.load(lengths + sequence)
    end = tl.minimum(length, (split + 1) * piece)
    depth = tl.arange(0, DEPTH)
    mine = tl.load(q + sequence * DEPTH + depth)
    largest = float("-inf")
    total = 0.0
    result = tl.zeros((DEPTH,), dtype=tl.float32)
    for start in range(split * piece, end, BLOCK):
        key = start + tl.arange(0, BLOCK)
        place = (sequence * n + key)[:, None] * DEPTH + depth[None, :]
        keys = tl.load(k + place, mask=key[:, None] < end, other=0.0)
        scores = tl.where(key < end, tl.sum(keys * mine[None, :], axis=1), float("-inf"))
        larger = tl.maximum(largest, tl.max(scores, axis=0))
        base = tl.where(larger == float("-inf"), 0.0, larger)
        before = tl.exp(largest - base)
        weights = tl.exp(scores - base)
        total = total * before + tl.sum(weights, axis=0)
        values = tl.load(v + place, mask=key[:, None] < end, other=0.0)
        result = result * before + tl.sum(weights[:, None] * values, axis=0)
        largest = larger
    part = sequence * tl.num_programs(1) + split
    tl.store(parts + part * DEPTH + depth, result)
    tl.store(notes + part * 2, largest)
    tl.store(notes + part * 2 + 1, total)


@triton.jit
def join_kernel(parts, notes, lengths, out, splits, DEPTH: tl.constexpr, SPLITS: tl.constexpr):
    sequence = tl.program_id(0)
    depth, split = tl.arange(0, DEPTH), tl.arange(0, SPLITS)
    part = sequence * splits + split
    largest = tl.load(notes + part * 2, mask=split < splits, other=float("-inf"))
    total = tl.load(notes + part * 2 + 1, mask=split < splits, other=0.0)
    weight = tl.where(total == 0.0, 0.0, tl.exp(largest - tl.max(largest, axis=0)))
    results = tl.load(parts + part[:, None] * DEPTH + depth[None, :], mask=(split < splits)[:, None], other=0.0)
    whole = tl.where(tl.load(lengths + sequence) > 0, tl.sum(total * weight, axis=0), 1.0)
    tl.store(out + sequence * DEPTH + depth, tl.sum(results * weight[:, None], axis=0) / whole)


def decode(q, k, v, lengths):
    out = torch.empty_like(q)
    sequences, n = k.shape[0], k.shape[1]
    piece = max(triton.cdiv(triton.cdiv(n, 4), 32), 1) * 32
    splits = max(triton.cdiv(n, piece), 1)
    parts = torch.empty((sequences, splits, 32), dtype=torch.float32, device=q.device)
    notes = torch.empty((sequences, splits, 2), dtype=torch.float32, device=q.device)
    decode_kernel[(sequences, splits)](q, k, v, lengths, parts, notes, n, piece, DEPTH=32, BLOCK=32)
    join_kernel[(sequences,)](parts, notes, lengths, out, splits, DEPTH=32, SPLITS=4)
    return out
