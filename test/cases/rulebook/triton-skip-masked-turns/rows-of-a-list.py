#@case {"kernel": "pool_lists"}
import torch
import triton
import triton.language as tl


@triton.jit
def pool_lists(table, ids, first, out, longest, width, MEAN: tl.constexpr, STEP: tl.constexpr, WIDTH: tl.constexpr):
    item = tl.program_id(0)
    column = tl.arange(0, WIDTH)
    begin = tl.load(first + item)
    end = tl.load(first + item + 1)
    pooled = tl.zeros([STEP, WIDTH], dtype=tl.float32)
    for k in range(0, longest, STEP):  #@ instructions=1000
        place = begin + k + tl.arange(0, STEP)
        there = place < end
        row = tl.load(ids + place, mask=there, other=0).to(tl.int64)
        value = tl.load(table + row[:, None] * width + column[None, :], mask=there[:, None] & (column < width)[None, :], other=0.0).to(tl.float32)
        pooled += value
    total = tl.sum(pooled, axis=0)
    if MEAN:
        total = total / tl.maximum(end - begin, 1)
    tl.store(out + item * width + column, total.to(out.dtype.element_ty), mask=column < width)


def pool(table, ids, first, longest):
    """Each list has at most `longest` items."""
    lists, width = first.numel() - 1, table.shape[1]
    out = torch.empty((lists, width), device=table.device, dtype=table.dtype)
    pool_lists[(lists,)](table, ids, first, out, longest, width, MEAN=True, STEP=16, WIDTH=triton.next_power_of_2(width))
    return out
