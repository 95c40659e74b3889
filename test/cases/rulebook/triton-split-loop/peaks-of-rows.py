#@case {"kernel": "peak", "launches": [{"blocks": 4, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.jit
def peak(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    m = 0.0
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        m = tl.maximum(m, tl.max(tl.load(x + row * n + i, mask=i < n, other=0.0)))  #@ instructions=1000
    tl.store(y + row, m)


def run(x):
    y = torch.empty(x.shape[0])
    peak[(x.shape[0],)](x, y, x.shape[1], BLOCK=512)
    return y
