"""Triton kernels with one bug each; with FIXED they are their own twins. The lines that begin with "#:" are read by capture.py and by
test/core/vgpu/planted-cases.ts: NAME := NUMBER is a constexpr, the rest is as in ../planted.cuh."""

import triton
import triton.language as tl


# Loads and stores a whole block where only a part of it exists.
#: out-of-bounds | grid 4 | block 128 | x = float[1000] ramp | y = float[1000] zero | n = 1000 | BLOCK := 256
@triton.jit
def mask_forgotten(x, y, n, BLOCK: tl.constexpr, FIXED: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if FIXED:
        values = tl.load(x + offsets, mask=offsets < n)
    else:
        values = tl.load(x + offsets)  # BUG
    tl.store(y + offsets, 2 * values, mask=offsets < n)


# The load is masked, the store is not.
#: out-of-bounds | grid 4 | block 128 | x = float[1000] ramp | y = float[1000] zero | n = 1000 | BLOCK := 256
@triton.jit
def store_mask_forgotten(x, y, n, BLOCK: tl.constexpr, FIXED: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + offsets, mask=offsets < n, other=0.0)
    if FIXED:
        tl.store(y + offsets, values + 1, mask=offsets < n)
    else:
        tl.store(y + offsets, values + 1)  # BUG


# The pointer moves on by a whole row for each step along the row.
#: out-of-bounds | grid 8 | block 128 | x = float[2048] ones | y = float[8] zero | columns = 256 | BLOCK := 128
@triton.jit
def pointer_advances_too_far(x, y, columns, BLOCK: tl.constexpr, FIXED: tl.constexpr):
    pointers = x + tl.program_id(0) * columns + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        total += tl.load(pointers)  # BUG
        pointers += BLOCK if FIXED else columns
    tl.store(y + tl.program_id(0), tl.sum(total, axis=0))


# The mask asks for the rows' count where the columns' is meant.
#: out-of-bounds | grid 4 | block 128 | x = float[400] ramp | y = float[400] zero | rows = 120 | columns = 100 | BLOCK := 128
@triton.jit
def mask_of_the_wrong_axis(x, y, rows, columns, BLOCK: tl.constexpr, FIXED: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < (columns if FIXED else rows)
    row = tl.program_id(0)
    values = tl.load(x + row * columns + offsets, mask=mask)  # BUG
    tl.store(y + row * columns + offsets, values * 3, mask=offsets < columns)


# Padding is marked by -1, which is no row of the table.
#: out-of-bounds | grid 1 | block 128 | index = int[96] holes | table = float[96] ramp | y = float[96] zero | n = 96 | BLOCK := 128
@triton.jit
def embedding_of_padding(index, table, y, n, BLOCK: tl.constexpr, FIXED: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    inside = offsets < n
    rows = tl.load(index + offsets, mask=inside, other=0)
    known = inside & (rows >= 0) if FIXED else inside
    values = tl.load(table + rows, mask=known, other=-7.0)  # BUG
    tl.store(y + offsets, values, mask=inside)


# Adds to an output that starts with whatever was there.
#: uninitialized-read | grid 2 | block 128 | x = float[256] ramp | y = float[256] | BLOCK := 128
@triton.jit
def accumulates_into_fresh_memory(x, y, BLOCK: tl.constexpr, FIXED: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + offsets)
    if not FIXED:
        values += tl.load(y + offsets)  # BUG
    tl.store(y + offsets, values)


# One program adds up a row's partial sums of which one was never stored.
#: uninitialized-read | grid 1 | block 128 | x = float[512] ones | partial = float[4] | y = float[1] zero | BLOCK := 128
@triton.jit
def partial_sum_missing(x, partial, y, BLOCK: tl.constexpr, FIXED: tl.constexpr):
    for piece in range(0, 4 if FIXED else 3):
        values = tl.load(x + piece * BLOCK + tl.arange(0, BLOCK))
        tl.store(partial + piece, tl.sum(values, axis=0))
    tl.debug_barrier()
    total = tl.load(partial + tl.arange(0, 4))  # BUG
    tl.store(y, tl.sum(total, axis=0))


# A grid that was rounded down leaves the last columns as they were.
#: never-written y | grid 3 -> 4 | block 128 | x = float[1000] ramp | y = float[1000] | n = 1000 | BLOCK := 256
@triton.jit
def grid_without_the_tail(x, y, n, BLOCK: tl.constexpr, FIXED: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(y + offsets, tl.load(x + offsets, mask=mask) - 1, mask=mask)


# Programs add their sums to one place, each on its own reading of it.
#: global-race | grid 4 | block 128 | x = float[512] ones | y = float[1] zero | BLOCK := 128
@triton.jit
def programs_add_plainly(x, y, BLOCK: tl.constexpr, FIXED: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.sum(tl.load(x + offsets), axis=0)
    if FIXED:
        tl.atomic_add(y, total)
    else:
        before = tl.load(y)  # BUG
        tl.store(y, before + total)  # BUG


# Shifts a vector in place while the next program may have shifted its part already.
#: global-race | grid 4 | block 128 | x = float[513] ramp | y = float[513] zero | BLOCK := 128
@triton.jit
def shift_in_place(x, y, BLOCK: tl.constexpr, FIXED: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + offsets + 1)  # BUG
    to = y if FIXED else x
    tl.store(to + offsets, values)  # BUG


# A lock that neither acquires nor releases anything: the sums that it guards may arrive late.
#: global-race | grid 4 | block 128 | x = float[512] ones | lock = int[1] zero | y = float[128] zero | BLOCK := 128
@triton.jit
def relaxed_lock(x, lock, y, BLOCK: tl.constexpr, FIXED: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    values = tl.load(x + tl.program_id(0) * BLOCK + columns)
    if FIXED:
        while tl.atomic_cas(lock, 0, 1) == 1:
            pass
    else:
        while tl.atomic_cas(lock, 0, 1, sem="relaxed") == 1:
            pass
    values += tl.load(y + columns)  # BUG
    tl.store(y + columns, values)  # BUG
    tl.debug_barrier()
    if FIXED:
        tl.atomic_xchg(lock, 0)
    else:
        tl.atomic_xchg(lock, 0, sem="relaxed")


# Tiles of neighbouring programs overlap and hold different values there.
#: global-race | grid 3 | block 128 | y = int[384] zero | stride = 120 -> 128 | BLOCK := 128
@triton.jit
def tiles_overlap(y, stride, BLOCK: tl.constexpr, FIXED: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    tl.store(y + row * stride + offsets, 1000 * row + offsets)  # BUG
