# task: triton-rr07-last-peak
# source: rr
# caught by: wrong values
# does: what is masked off counts as 0 in the search for the peak; shows in rows of negative numbers alone whose length is no power of two (the peak is then found nowhere)

import torch
import triton
import triton.language as tl


@triton.jit
def last_peak_kernel(x, place, times, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + at, mask=at < columns, other=0)
    hit = (v == tl.max(v, axis=0)) & (at < columns)
    tl.store(place + row, tl.max(tl.where(hit, at, -1), axis=0))
    tl.store(times + row, tl.sum(hit.to(tl.int32), axis=0))


def last_peak(x):
    rows, columns = x.shape
    place = torch.empty((rows,), dtype=torch.int32, device=x.device)
    times = torch.empty((rows,), dtype=torch.int32, device=x.device)
    last_peak_kernel[(rows,)](x, place, times, columns, BLOCK=triton.next_power_of_2(columns))
    return place, times
