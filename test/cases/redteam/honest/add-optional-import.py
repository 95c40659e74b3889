# task: triton-add
# does: an import of what newer versions have, and a decorator that does nothing where it is missing

import torch
import triton
import triton.language as tl

try:
    from triton.language.extra.cuda import gdc_wait as _gdc_wait
except ImportError:
    _gdc_wait = None

HAS_DEPENDENT_LAUNCH = _gdc_wait is not None


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    inside = at < n
    left = tl.load(a + at, mask=inside, other=0.0)
    right = tl.load(b + at, mask=inside, other=0.0)
    tl.store(out + at, left + right, mask=inside)


def add(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    if a.shape != b.shape:
        raise ValueError(f"add: {tuple(a.shape)} and {tuple(b.shape)} differ")
    out = torch.empty_like(a)
    match a.numel():
        case n if n >= 4096:
            block, warps = 512, 4
        case n:
            block, warps = 128, 1
    add_kernel[(triton.cdiv(n, block),)](a, b, out, n, BLOCK=block, num_warps=warps)
    return out
