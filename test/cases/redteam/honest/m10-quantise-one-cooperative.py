# task: triton-quantise
# does: one cooperative launch of a few programs that meet at a counter between the largest number and the rounding

import torch
import triton
import triton.language as tl


@triton.jit
def quantise_kernel(x, largest, arrived, scale, q, n, BLOCK: tl.constexpr):
    programs = tl.num_programs(0)
    most = tl.zeros((BLOCK,), dtype=tl.float32)
    for first in range(tl.program_id(0) * BLOCK, n, programs * BLOCK):
        at = first + tl.arange(0, BLOCK)
        most = tl.maximum(most, tl.abs(tl.load(x + at, mask=at < n, other=0.0)))
    tl.atomic_max(largest, tl.max(most, axis=0), sem="release", scope="gpu")
    # All programs run at once, so each may wait for all.
    tl.atomic_add(arrived, 1, sem="acq_rel", scope="gpu")
    while tl.atomic_add(arrived, 0, sem="acquire", scope="gpu") < programs:
        pass
    limit = tl.atomic_max(largest, 0.0, sem="acquire", scope="gpu")
    step = tl.where(limit > 0.0, limit / 127.0, 1.0)
    for first in range(tl.program_id(0) * BLOCK, n, programs * BLOCK):
        at = first + tl.arange(0, BLOCK)
        value = tl.floor(tl.load(x + at, mask=at < n, other=0.0) / step + 0.5)
        tl.store(q + at, tl.minimum(tl.maximum(value, -127.0), 127.0).to(tl.int8), mask=at < n)
    if tl.program_id(0) == 0:
        tl.store(scale, step)


def quantised(x):
    n = x.numel()
    largest = torch.zeros((1,), dtype=torch.float32, device=x.device)
    arrived = torch.zeros((1,), dtype=torch.int32, device=x.device)
    scale = torch.empty((1,), dtype=torch.float32, device=x.device)
    q = torch.empty((n,), dtype=torch.int8, device=x.device)
    grid = (min(8, triton.cdiv(n, 512)),)
    quantise_kernel[grid](x, largest, arrived, scale, q, n, BLOCK=512, launch_cooperative_grid=True)
    return q, scale
