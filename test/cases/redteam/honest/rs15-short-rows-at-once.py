# task: triton-rs15-by-peak
# does: holds rows of up to 4096 numbers in registers, four of them in a program where they are short, and goes twice through longer ones; all by their strides

import torch
import triton
import triton.language as tl


@triton.jit
def peak_kernel(x, y, rows, columns, over, along, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = (tl.program_id(0) * ROWS + tl.arange(0, ROWS)).to(tl.int64)[:, None]
    at = tl.arange(0, BLOCK).to(tl.int64)[None, :]
    inside = (row < rows) & (at < columns)
    values = tl.load(x + row * over + at * along, mask=inside, other=0.0)
    peak = tl.max(tl.abs(values), axis=1, keep_dims=True)
    tl.store(y + row * columns + at, values / tl.where(peak > 0.0, peak, 1.0), mask=inside)


@triton.jit
def long_kernel(x, y, columns, over, along, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    peaks = tl.zeros((BLOCK,), dtype=tl.float32)
    for first in range(0, columns, BLOCK):
        at = first + tl.arange(0, BLOCK)
        peaks = tl.maximum(peaks, tl.abs(tl.load(x + row * over + at * along, mask=at < columns, other=0.0)))
    peak = tl.max(peaks, axis=0)
    for first in range(0, columns, BLOCK):
        at = first + tl.arange(0, BLOCK)
        values = tl.load(x + row * over + at * along, mask=at < columns, other=0.0)
        tl.store(y + row * columns + at, values / tl.where(peak > 0.0, peak, 1.0), mask=at < columns)


def by_peak(x):
    """Divides each row by its largest amount; x may be any view of two dimensions."""
    rows, columns = x.shape
    y = torch.empty((rows, columns), dtype=x.dtype, device=x.device)
    over, along = x.stride()
    if columns > 4096:
        long_kernel[(rows,)](x, y, columns, over, along, BLOCK=1024)
    else:
        several = 4 if columns <= 512 else 1
        grid = (triton.cdiv(rows, several),)
        peak_kernel[grid](x, y, rows, columns, over, along, ROWS=several, BLOCK=triton.next_power_of_2(columns))
    return y
