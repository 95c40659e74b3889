# task: triton-p10-logistic-loss
# does: returns a contiguous part of a larger piece of memory, behind a header of 128 bytes that the kernel fills with its sizes

import torch
import triton
import triton.language as tl


@triton.jit
def loss_kernel(x, w, piece, n, BLOCK: tl.constexpr):
    program = tl.program_id(0)
    if program == 0:
        tl.store(piece + tl.arange(0, 32), tl.full((32,), 1.0, dtype=tl.float32) * n)
    at = program * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    value = tl.load(x + at, mask=inside, eviction_policy="evict_first")
    weight = tl.load(w + at, mask=inside, eviction_policy="evict_first")
    soft = tl.maximum(-value, 0.0) + tl.log(1.0 + tl.exp(-tl.abs(value)))
    tl.store(piece + 32 + at, weight * soft, mask=inside)


def loss(x, w):
    n = x.numel()
    piece = torch.empty((n + 32,), dtype=x.dtype, device=x.device)
    loss_kernel[(triton.cdiv(n, 512),)](x, w, piece, n, BLOCK=512)
    return piece[32:]
