# task: triton-p10-logistic-loss
# source: p
# does: tells the compiler that the mask is the same for sixteen numbers in a row, so that the first of four decides for all, up to three behind the end
# caught by: out-of-bounds or wrong values

import torch
import triton
import triton.language as tl


@triton.jit
def loss_kernel(x, w, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = tl.max_constancy(at < n, 16)
    value = tl.load(x + at, mask=inside)
    soft = tl.maximum(-value, 0.0) + tl.log(1.0 + tl.exp(-tl.abs(value)))
    tl.store(y + at, tl.load(w + at, mask=inside) * soft, mask=inside)


def loss(x, w):
    y = torch.empty_like(x)
    n = x.numel()
    loss_kernel[(triton.cdiv(n, 1024),)](x, w, y, n, BLOCK=1024)
    return y
