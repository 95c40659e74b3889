# task: triton-add
# does: is an object that is called, and keeps the sizes of its blocks

import torch
import triton
import triton.language as tl



@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


class Adder:
    def __init__(self, block):
        self.block = block

    def __call__(self, a, b):
        out = torch.empty_like(a)
        n = a.numel()
        add_kernel[(triton.cdiv(n, self.block),)](a, b, out, n, BLOCK=self.block)
        return out


add = Adder(1024)
