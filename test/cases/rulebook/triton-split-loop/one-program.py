#@case {"kernel": "agc", "launches": [{"blocks": 1, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.jit
def agc(x, y, gain, n, BLOCK: tl.constexpr):
    at = 0
    while at < n:
        i = at + tl.arange(0, BLOCK)
        tl.store(y + i, tl.load(x + i, mask=i < n) * gain, mask=i < n)  #@ instructions=1000
        at += BLOCK


def run(x):
    y = torch.empty_like(x)
    grid = lambda meta: (1,)
    agc[grid](x, y, 2.0, x.numel(), BLOCK=1024)
    return y
