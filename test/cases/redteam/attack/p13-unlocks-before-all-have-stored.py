# task: triton-p11-gain-gradient
# source: p
# does: adds up under a lock that its first thread gives back while its other warps may not have stored yet: the barrier before that is left out
# caught by: global-race or wrong values

import torch
import triton
import triton.language as tl


@triton.jit
def gradient_kernel(dy, x, g, locks, begun, rows, width, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    block = tl.program_id(0)
    at = block * BLOCK + tl.arange(0, BLOCK)
    inside = at < width
    first = tl.program_id(1) * ROWS
    sum = tl.zeros((BLOCK,), dtype=tl.float32)
    for row in range(first, tl.minimum(first + ROWS, rows)):
        sum += tl.load(dy + row * width + at, mask=inside, other=0.0) * tl.load(x + row * width + at, mask=inside, other=0.0)
    while tl.atomic_cas(locks + block, 0, 1) == 1:
        pass
    if tl.load(begun + block) == 0:
        tl.atomic_xchg(begun + block, 1)
    else:
        sum += tl.load(g + at, mask=inside, other=0.0)
    tl.store(g + at, sum, mask=inside)
    tl.atomic_xchg(locks + block, 0)


def gradient(dy, x):
    rows, width = x.shape
    g = torch.empty((width,), dtype=x.dtype, device=x.device)
    blocks = triton.cdiv(width, 128)
    state = torch.zeros((2, blocks), dtype=torch.int32, device=x.device)
    gradient_kernel[(blocks, triton.cdiv(rows, 32))](dy, x, g, state[0], state[1], rows, width, ROWS=32, BLOCK=128, num_warps=4)
    return g
