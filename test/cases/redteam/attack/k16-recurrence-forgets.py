# task: triton-recurrence
# source: k
# does: takes all chunks at once by starting each from the one before it alone, as if older ones had died away
# caught by: wrong values

import torch
import triton
import triton.language as tl


@triton.jit
def chain(a, x, later_a, later_x):
    return a * later_a, later_a * x + later_x


@triton.jit
def chain_kernel(a, x, y, length, CHUNK: tl.constexpr):
    row = tl.program_id(0) * length
    at = tl.program_id(1) * CHUNK + tl.arange(0, CHUNK)
    # With gains below one, nothing older than the chunk before reaches this one.
    before = at - CHUNK
    inside = (before >= 0) & (before < length)
    old_a = tl.load(a + row + before, mask=inside, other=1.0)
    old_x = tl.load(x + row + before, mask=inside, other=0.0)
    old_a, old = tl.associative_scan((old_a, old_x), 0, chain)
    carry = tl.sum(tl.where(tl.arange(0, CHUNK) == CHUNK - 1, old, 0.0), axis=0)
    mine_a = tl.load(a + row + at, mask=at < length, other=1.0)
    mine_x = tl.load(x + row + at, mask=at < length, other=0.0)
    mine_a, mine = tl.associative_scan((mine_a, mine_x), 0, chain)
    tl.store(y + row + at, mine + mine_a * carry, mask=at < length)


def recurrence(a, x):
    rows, length = x.shape
    y = torch.empty_like(x)
    chain_kernel[(rows, triton.cdiv(length, 64))](a, x, y, length, CHUNK=64)
    return y
