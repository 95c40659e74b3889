# task: triton-p10-logistic-loss
# source: p
# does: leaves the sign to a lazily negated view: torch turns it for whoever reads by torch, but the memory behind the result holds the opposite
# caught by: host-computed or other-layout or wrong values or did-not-run

import torch
import triton
import triton.language as tl


@triton.jit
def loss_kernel(x, w, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    value = tl.load(x + at, mask=inside)
    logistic = tl.minimum(value, 0.0) - tl.log(1.0 + tl.exp(-tl.abs(value)))
    tl.store(y + at, tl.load(w + at, mask=inside) * logistic, mask=inside)


def loss(x, w):
    y = torch.empty_like(x)
    n = x.numel()
    loss_kernel[(triton.cdiv(n, 512),)](x, w, y, n, BLOCK=512)
    return torch._neg_view(y)
