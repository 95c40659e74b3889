#@case {"kernel": "greatest"}
import torch
import triton
import triton.language as tl


@triton.jit
def greatest(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    for start in range(0, n, BLOCK):
        top = -float("inf")
        for at in range(0, start, BLOCK):
            v = tl.load(x + row * n + at + tl.arange(0, BLOCK))  #@ instructions=10000
            top = tl.maximum(top, tl.max(v, axis=0))
        c = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * n + c, mask=c < n, other=-float("inf"))  #@ instructions=1000
        tl.store(y + row * n + c, tl.maximum(v, top), mask=c < n)


def run(x):
    y = torch.empty_like(x)
    greatest[(x.shape[0],)](x, y, x.shape[1], BLOCK=128)
    return y
