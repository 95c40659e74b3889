import torch
import triton
import triton.language as tl


@triton.autotune(
    configs=[triton.Config({"KEYS": keys}, num_warps=4) for keys in (16, 32, 64)],
    key=["count"],
)
@triton.jit
def _blend_values(queries, keys, values, blended, count, WIDE: tl.constexpr, ROWS: tl.constexpr, KEYS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    wide = tl.arange(0, WIDE)
    query = tl.load(queries + row[:, None] * WIDE + wide[None, :], mask=(row < count)[:, None], other=0.0)
    most = tl.full((ROWS,), float("-inf"), tl.float32)
    weight = tl.zeros((ROWS,), tl.float32)
    total = tl.zeros((ROWS, WIDE), tl.float32)
    for first in range(0, count, KEYS):
        at = first + tl.arange(0, KEYS)
        inside = at < count
        key = tl.load(keys + at[:, None] * WIDE + wide[None, :], mask=inside[:, None], other=0.0)
        value = tl.load(values + at[:, None] * WIDE + wide[None, :], mask=inside[:, None], other=0.0)
        score = tl.where(inside[None, :], tl.dot(query, tl.trans(key)) * 0.25, float("-inf"))
        now = tl.maximum(most, tl.max(score, axis=1))
        share = tl.exp(score - now[:, None])
        kept = tl.exp(most - now)
        weight = weight * kept + tl.sum(share, axis=1)
        total = total * kept[:, None] + tl.dot(share, value)
        most = now
    tl.store(blended + row[:, None] * WIDE + wide[None, :], total / weight[:, None], mask=(row < count)[:, None])


def blend_values(queries, keys, values):
    count, wide = queries.shape
    blended = torch.empty_like(queries)
    _blend_values[(triton.cdiv(count, 32),)](queries, keys, values, blended, count, WIDE=wide, ROWS=32)
    return blended
