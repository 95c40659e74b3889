# task: triton-add
# does: asks where its tensors lie, as wrappers do, and has the same kernel for both

import torch
import triton
import triton.language as tl



@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


def add(a, b):
    assert a.device == b.device and a.is_contiguous()
    out = torch.empty_like(a, device=a.device)
    n = a.numel()
    with torch.inference_mode():
        add_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](a, b, out, n, BLOCK=512)
    return out
