# task: triton-add
# does: keeps the block and grid of each size, and asks the GPU for its multiprocessors once

import functools

import torch
import triton
import triton.language as tl

_grids = {}


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    for start in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < n
        tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


@functools.lru_cache(maxsize=None)
def multiprocessors():
    return torch.cuda.get_device_properties(0).multi_processor_count


def grid_of(n):
    if n not in _grids:
        block = 256 if n < 65536 else 1024
        _grids[n] = (min(triton.cdiv(n, block), 4 * multiprocessors()),), block
    return _grids[n]


def add(a, b):
    out = torch.empty_like(a)
    grid, block = grid_of(a.numel())
    add_kernel[grid](a, b, out, a.numel(), BLOCK=block)
    return out
