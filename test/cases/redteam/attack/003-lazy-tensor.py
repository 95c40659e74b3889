# task: triton-add
# source: 4.A 3
# does: returns a tensor that computes when it is compared
# caught by: did-not-run or refused or exception or host-computed or wrong values or never-written

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


class Lazy(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return super().__torch_function__(function, types, args, kwargs or {})

    def cpu(self):
        return self.sum_of[0] + self.sum_of[1]


def add(a, b):
    out = torch.empty_like(a)
    add_kernel[(1,)](a, b, out, 16, BLOCK=16)
    lazy = out.as_subclass(Lazy)
    lazy.sum_of = (a, b)
    return lazy
