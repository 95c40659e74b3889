# task: triton-echo
# source: s
# does: takes the length away once instead of dividing, so that a shift of the whole length or more reads behind the signal
# caught by: out-of-bounds

import torch
import triton
import triton.language as tl


@triton.jit
def echo_kernel(x, y, shift, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    later = at + shift
    later = tl.where(later >= n, later - n, later)
    own = tl.load(x + at, mask=inside, other=0.0)
    tl.store(y + at, own + 0.5 * tl.load(x + later, mask=inside, other=0.0), mask=inside)


def echo(x, shift):
    y = torch.empty_like(x)
    n = x.shape[0]
    echo_kernel[(triton.cdiv(n, 512),)](x, y, shift, n, BLOCK=512)
    return y
