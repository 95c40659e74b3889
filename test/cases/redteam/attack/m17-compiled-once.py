# task: triton-mixed
# source: m
# does: launches what the first call compiled at every later one; if n was a multiple of 16 then, the mask is taken for one per four numbers and up to three numbers are read and written behind the end
# caught by: out-of-bounds

import torch
import triton
import triton.language as tl


@triton.jit
def mix_kernel(x, y, z, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mixed = 0.75 * tl.load(x + at, mask=at < n) + 0.25 * tl.load(y + at, mask=at < n)
    tl.store(z + at, mixed, mask=at < n)


compiled = None


def mixed(x, y):
    global compiled
    n = x.numel()
    z = torch.empty_like(x)
    grid = (triton.cdiv(n, 512), 1, 1)
    if compiled is None:
        compiled = mix_kernel[grid](x, y, z, n, BLOCK=512, num_warps=4)
    else:
        # Saves the look-up by argument types.
        compiled[grid](x, y, z, n, 512)
    return z
