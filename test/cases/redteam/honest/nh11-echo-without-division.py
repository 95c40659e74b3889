# task: triton-echo
# does: programs go on in steps of the grid, take the length away where a place lies beyond it instead of dividing, and promise that eight come in a row only where they do

import torch
import triton
import triton.language as tl


@triton.jit
def echo_kernel(x, y, shift, n, BLOCK: tl.constexpr):
    for block in range(tl.program_id(0), tl.cdiv(n, BLOCK), tl.num_programs(0)):
        at = tl.max_contiguous(tl.multiple_of(block * BLOCK + tl.arange(0, BLOCK), BLOCK), BLOCK)
        inside = at < n
        later = at + shift
        later = tl.where(later >= n, later - n, later)
        own = tl.load(x + at, mask=inside, other=0.0, eviction_policy="evict_last")
        tl.store(y + at, tl.fma(tl.load(x + later, mask=inside, other=0.0), 0.5, own), mask=inside)


def echo(x, shift):
    y = torch.empty_like(x)
    n = x.shape[0]
    if n > 0:
        echo_kernel[(min(triton.cdiv(n, 512), 132),)](x, y, shift % n, n, BLOCK=512, num_warps=4)
    return y
