import torch
import triton
import triton.language as tl


@triton.jit
def segment_sum_kernel(values, offsets, out, D, BLOCK_D: tl.constexpr):
    seg = tl.program_id(0)
    d = tl.program_id(1) * BLOCK_D + tl.arange(0, BLOCK_D)
    begin = tl.load(offsets + seg)
    end = tl.load(offsets + seg + 1)
    acc = tl.zeros([BLOCK_D], dtype=tl.float32)
    for r in range(begin, end):
        acc += tl.load(values + r * D + d, mask=d < D, other=0.0)
    tl.store(out + seg * D + d, acc, mask=d < D)


def segment_sum(values: torch.Tensor, offsets: torch.Tensor) -> torch.Tensor:
    """values [rows, D]; offsets [segments + 1], int32, ascending from 0 to rows"""
    segments = offsets.numel() - 1
    out = values.new_empty(segments, values.shape[1])
    segment_sum_kernel[(segments, triton.cdiv(values.shape[1], 32))](values, offsets, out, values.shape[1], BLOCK_D=32)
    return out
