#@case {"kernel": "solve"}
import torch
import triton
import triton.language as tl


@triton.jit
def solve(x, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    for i in range(0, tl.cdiv(n, BLOCK)):
        sum = 0.0
        for j in range(0, i):
            v = tl.load(x + row * n + j * BLOCK + tl.arange(0, BLOCK))  #@ instructions=10000
            sum += tl.sum(v, axis=0)
        c = i * BLOCK + tl.arange(0, BLOCK)
        tl.store(x + row * n + c, sum, mask=c < n)


def run(x):
    solve[(x.shape[0],)](x, x.shape[1], BLOCK=128)
    return x
