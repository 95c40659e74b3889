# task: triton-gather
# does: several rows in a program with offsets of 64 bits and hints on how long what it touches is kept

import torch
import triton
import triton.language as tl


@triton.jit
def gather_kernel(table, ids, out, width, count, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    place = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    row = tl.load(ids + place, mask=place < count, other=0).to(tl.int64)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = (place[:, None] < count) & (at[None, :] < width)
    rows = tl.load(table + row[:, None] * width + at[None, :], mask=inside, eviction_policy="evict_last")
    target = out + place.to(tl.int64)[:, None] * width + at[None, :]
    tl.store(target, rows, mask=inside, eviction_policy="evict_first")


def gathered(table, ids):
    count, width = ids.shape[0], table.shape[1]
    out = torch.empty((count, width), dtype=torch.float32, device=table.device)
    grid = (triton.cdiv(count, 4), triton.cdiv(width, 128))
    gather_kernel[grid](table, ids, out, width, count, ROWS=4, BLOCK=128)
    return out
