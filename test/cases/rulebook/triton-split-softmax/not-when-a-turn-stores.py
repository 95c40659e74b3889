#@case {"kernel": "attend_last", "launches": [{"blocks": 12, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.jit
def attend_last(query, keys, values, out, length, stride_head, WIDTH: tl.constexpr, SPAN: tl.constexpr):
    head = tl.program_id(0)
    column = tl.arange(0, WIDTH)
    q = tl.load(query + head * WIDTH + column)
    best = -float("inf")
    total = 0.0
    mixed = tl.zeros([WIDTH], dtype=tl.float32)
    for first in range(0, length, SPAN):
        token = first + tl.arange(0, SPAN)
        inside = token < length
        place = head * stride_head + token[:, None] * WIDTH + column[None, :]
        k = tl.load(keys + place, mask=inside[:, None], other=0.0)
        score = tl.where(inside, tl.sum(q[None, :] * k, axis=1), -float("inf"))  #@ instructions=9000
        better = tl.maximum(best, tl.max(score, axis=0))
        weight = tl.exp(score - better)
        fade = tl.exp(best - better)
        v = tl.load(values + place, mask=inside[:, None], other=0.0)
        total = total * fade + tl.sum(weight, axis=0)
        mixed = mixed * fade + tl.sum(weight[:, None] * v, axis=0)
        best = better
        tl.store(out + token, score, mask=inside)
    tl.store(out + head * WIDTH + column, mixed / total)


def attend(query, keys, values):
    heads, width = query.shape
    out = torch.empty_like(query)
    attend_last[(heads,)](query, keys, values, out, keys.shape[1], keys.stride(0), WIDTH=width, SPAN=64)
    return out
