# task: triton-echo
# source: n
# does: promises that places taken modulo the length come in whole fours, so that four are loaded at once across the end
# caught by: out-of-bounds

import torch
import triton
import triton.language as tl


@triton.jit
def echo_kernel(x, y, shift, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    wrapped = tl.max_contiguous(tl.multiple_of((at + shift) % n, 4), 4)
    own = tl.load(x + at, mask=inside, other=0.0)
    later = tl.load(x + wrapped)
    tl.store(y + at, own + 0.5 * later, mask=inside)


def echo(x, shift):
    y = torch.empty_like(x)
    n = x.shape[0]
    echo_kernel[(triton.cdiv(n, 1024),)](x, y, shift, n, BLOCK=1024, num_warps=4)
    return y
