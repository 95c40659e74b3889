# task: triton-clip
# does: clips by minimum and maximum of the kind that keeps what is no number, by programs that step through the array

import torch
import triton
import triton.language as tl


@triton.jit
def clip_kernel(x, y, n, low, high, BLOCK: tl.constexpr):
    step = tl.num_programs(0) * BLOCK
    for start in range(tl.program_id(0) * BLOCK, n, step):
        at = start + tl.arange(0, BLOCK)
        value = tl.load(x + at, mask=at < n)
        value = tl.maximum(value, low, propagate_nan=tl.PropagateNan.ALL)
        value = tl.minimum(value, high, propagate_nan=tl.PropagateNan.ALL)
        tl.store(y + at, value, mask=at < n)


def clipped(x):
    y = torch.empty_like(x)
    n = x.numel()
    clip_kernel[(min(triton.cdiv(n, 512), 256),)](x, y, n, -1.0, 1.0, BLOCK=512)
    return y
