# task: triton-logsumexp
# source: z
# does: counts the parts of a row by an atomic that orders nothing, and takes for finished what the others may still be writing
# caught by: global-race

import torch
import triton
import triton.language as tl


@triton.jit
def lse_kernel(x, y, scratch, counters, columns, PARTS: tl.constexpr, PIECE: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    part = tl.program_id(1)
    x += row * columns
    y += row * columns
    at = part * PIECE + tl.arange(0, PIECE)
    values = tl.load(x + at, mask=at < columns, other=float("-inf"))
    largest = tl.maximum(tl.max(values, axis=0), -3.0e38)
    total = tl.sum(tl.exp(values - largest), axis=0)
    tl.store(scratch + (row * PARTS + part) * 2, largest)
    tl.store(scratch + (row * PARTS + part) * 2 + 1, total)
    if tl.atomic_add(counters + row, 1, sem="relaxed") == PARTS - 1:
        each = tl.arange(0, PARTS)
        largests = tl.load(scratch + (row * PARTS + each) * 2)
        totals = tl.load(scratch + (row * PARTS + each) * 2 + 1)
        most = tl.max(largests, axis=0)
        correction = most + tl.log(tl.sum(totals * tl.exp(largests - most), axis=0))
        whole = tl.arange(0, BLOCK)
        again = tl.load(x + whole, mask=whole < columns)
        tl.store(y + whole, again - correction, mask=whole < columns)
        tl.store(counters + row, 0)


counters = {}


def log_softmax(x):
    y = torch.empty_like(x)
    rows, columns = x.shape
    block = triton.next_power_of_2(columns)
    scratch = torch.empty(rows * 4, dtype=torch.float32, device=x.device)
    key = (rows, x.device)
    if key not in counters:
        counters[key] = torch.zeros(rows, dtype=torch.int32, device=x.device)
    lse_kernel[(rows, 2)](
        x, y, scratch, counters[key], columns, PARTS=2, PIECE=max(block // 2, 16), BLOCK=block, num_warps=2
    )
    return y
