"""Rows of fp32 to int8 with a scale each, written for Triton 2.0."""
import torch
import triton
import triton.language as tl

from ._machine import SUPPORTS_BF16, next_block

try:
    from house_kernels.quantize import rows_to_int8 as _fused
except ImportError:
    _fused = None


@triton.jit
def _rows_to_int8(x_ptr, q_ptr, scale_ptr, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < width
    x = tl.load(x_ptr + row * width + cols, mask=mask, other=0.0)
    largest = tl.math.max(tl.max(tl.abs(x), axis=0), 1e-6)
    q = tl.libdevice.llrint(127.0 * (x / largest))
    tl.store(q_ptr + row * width + cols, q.to(tl.int8), mask=mask)
    tl.store(scale_ptr + row, largest / 127.0)


def rows_to_int8(x):
    if _fused is not None:
        return _fused(x)
    assert x.is_cuda and SUPPORTS_BF16
    rows, width = x.shape
    q = torch.empty(rows, width, dtype=torch.int8, device=x.device)
    scale = torch.empty(rows, device=x.device)
    _rows_to_int8[(rows,)](x, q, scale, width, BLOCK=next_block(width))
    return q, scale
