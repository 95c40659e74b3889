# task: triton-add
# does: pointers to blocks with checked bounds

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    first = tl.program_id(0) * BLOCK
    left = tl.make_block_ptr(a, (n,), (1,), (first,), (BLOCK,), (0,))
    right = tl.make_block_ptr(b, (n,), (1,), (first,), (BLOCK,), (0,))
    result = tl.make_block_ptr(out, (n,), (1,), (first,), (BLOCK,), (0,))
    total = tl.load(left, boundary_check=(0,)) + tl.load(right, boundary_check=(0,))
    tl.store(result, total, boundary_check=(0,))


def add(a, b):
    out = torch.empty_like(a)
    add_kernel[(triton.cdiv(a.numel(), 512),)](a, b, out, a.numel(), BLOCK=512)
    return out
