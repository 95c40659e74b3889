# task: triton-add
# does: a block size and a mask that follow from the arguments

import torch
import triton
import triton.language as tl


@triton.heuristics(
    {
        "BLOCK": lambda args: min(1024, triton.next_power_of_2(args["n"])),
        "EVEN": lambda args: args["n"] % min(1024, triton.next_power_of_2(args["n"])) == 0,
    }
)
@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        tl.store(out + at, tl.load(a + at) + tl.load(b + at))
    else:
        tl.store(out + at, tl.load(a + at, mask=at < n) + tl.load(b + at, mask=at < n), mask=at < n)


def add(a, b):
    out = torch.empty(a.shape, dtype=a.dtype)
    n = a.numel()
    add_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](a, b, out, n)
    return out
