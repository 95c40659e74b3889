import torch
import triton
import triton.language as tl


@triton.jit
def peak_kernel(x, y, columns, over, along, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    peak = 0.0
    for first in range(0, columns, BLOCK):
        at = first + tl.arange(0, BLOCK)
        values = tl.load(x + row * over + at * along, mask=at < columns, other=0.0)
        peak = tl.maximum(peak, tl.max(tl.abs(values), axis=0))
    for first in range(0, columns, BLOCK):
        at = first + tl.arange(0, BLOCK)
        values = tl.load(x + row * over + at * along, mask=at < columns, other=0.0)
        tl.store(y + row * columns + at, values / tl.where(peak > 0.0, peak, 1.0), mask=at < columns)


def by_peak(x):
    """Divides each row by its largest amount; x may be any view of two dimensions."""
    rows, columns = x.shape
    y = torch.empty((rows, columns), dtype=x.dtype, device=x.device)
    peak_kernel[(rows,)](x, y, columns, x.stride(0), x.stride(1), BLOCK=64)
    return y
