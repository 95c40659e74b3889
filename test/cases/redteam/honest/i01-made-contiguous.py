# task: triton-peaks
# does: makes the rows contiguous where they are not, and keeps them in registers

import torch
import triton
import triton.language as tl


@triton.jit
def peak_kernel(x, gain, y, columns, row_stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    value = tl.load(x + row * row_stride + at, mask=at < columns, other=0.0)
    scale = tl.load(gain + at, mask=at < columns, other=0.0)
    peak = tl.max(tl.abs(value), axis=0)
    tl.store(y + row * columns + at, value / tl.maximum(peak, 1e-6) * scale, mask=at < columns)


def peaks(x, gain):
    rows, columns = x.shape
    y = torch.empty((rows, columns), dtype=x.dtype, device=x.device)
    x = x.contiguous()
    peak_kernel[(rows,)](x, gain, y, columns, columns, BLOCK=triton.next_power_of_2(columns))
    return y
