#@case {"kernel": "decayed"}
import torch
import triton
import triton.language as tl


@triton.jit
def decayed(x, y, n, rate, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    for i in range(0, tl.cdiv(n, BLOCK)):
        sum = 0.0
        weight = tl.exp(-rate * i)
        for j in range(0, i):
            v = tl.load(x + row * n + j * BLOCK + tl.arange(0, BLOCK))  #@ instructions=10000
            sum += tl.sum(v, axis=0) * weight
        c = i * BLOCK + tl.arange(0, BLOCK)
        tl.store(y + row * n + c, sum, mask=c < n)


def run(x):
    y = torch.empty_like(x)
    decayed[(x.shape[0],)](x, y, x.shape[1], 0.5, BLOCK=128)
    return y
