"""Sums of the runs of a vector; where each run ends stands in a tensor of its own."""

import torch
import triton
import triton.language as tl


@triton.jit
def _run_sums(values_ptr, ends_ptr, sums_ptr, STEP: tl.constexpr):
    run = tl.program_id(0)
    first = 0
    if run > 0:
        first = tl.load(ends_ptr + run - 1)
    last = tl.load(ends_ptr + run)
    total = tl.zeros((STEP,), dtype=tl.float32)
    for begin in range(first, last, STEP):
        at = begin + tl.arange(0, STEP)
        total += tl.load(values_ptr + at, mask=at < last, other=0.0)
    tl.store(sums_ptr + run, tl.sum(total, axis=0))


def run_sums(values: torch.Tensor, bins: torch.Tensor) -> torch.Tensor:
    sums = torch.empty(bins.shape[0], dtype=torch.float32, device=values.device)
    _run_sums[(bins.shape[0],)](values, bins, sums, STEP=64)
    return sums
