# task: triton-rr07-last-peak
# does: number and place form one key of 64 bits, whose greatest is the last of the greatest, also of negative numbers; masked places have a key below all others, rows share a program, and rows too long go the old way

import torch
import triton
import triton.language as tl


@triton.jit
def last_peak_kernel(x, place, times, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    best = tl.full((BLOCK,), -2147483648, dtype=tl.int32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        best = tl.maximum(best, tl.load(x + row * columns + at, mask=at < columns, other=-2147483648))
    peak = tl.max(best, axis=0)
    last = tl.full((BLOCK,), -1, dtype=tl.int32)
    found = tl.zeros((BLOCK,), dtype=tl.int32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * columns + at, mask=at < columns, other=-2147483648)
        hit = (v == peak) & (at < columns)
        last = tl.maximum(last, tl.where(hit, at, -1))
        found += hit.to(tl.int32)
    tl.store(place + row, tl.max(last, axis=0))
    tl.store(times + row, tl.sum(found, axis=0))


@triton.jit
def last_peaks_kernel(x, place, times, rows, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    at = tl.arange(0, BLOCK)
    inside = (row[:, None] < rows) & (at[None, :] < columns)
    v = tl.load(x + row[:, None] * columns + at[None, :], mask=inside, other=0)
    key = v.to(tl.int64) * 65536 + at[None, :]
    best = tl.max(tl.where(inside, key, -4611686018427387904), axis=1)
    peak = (best >> 16).to(tl.int32)
    hit = (v == peak[:, None]) & inside
    tl.store(place + row, (best & 65535).to(tl.int32), mask=row < rows)
    tl.store(times + row, tl.sum(hit.to(tl.int32), axis=1), mask=row < rows)


def last_peak(x):
    rows, columns = x.shape
    place = torch.empty((rows,), dtype=torch.int32, device=x.device)
    times = torch.empty((rows,), dtype=torch.int32, device=x.device)
    block = triton.next_power_of_2(columns)
    if block <= 4096:
        several = max(1, 1024 // block)
        last_peaks_kernel[(triton.cdiv(rows, several),)](x, place, times, rows, columns, ROWS=several, BLOCK=block)
    else:
        last_peak_kernel[(rows,)](x, place, times, columns, BLOCK=1024)
    return place, times
