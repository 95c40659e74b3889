#@case {"kernel": "running", "launches": [{"blocks": 4, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.jit
def running(x, y, last, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = 0.0
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * n + i, mask=i < n, other=0.0)  #@ instructions=1000
        tl.store(y + row * n + i, total + tl.cumsum(v, 0), mask=i < n)
        total += tl.sum(v)
    tl.store(last + row, total)


def run(x):
    y = torch.empty_like(x)
    last = torch.empty(x.shape[0])
    running[(x.shape[0],)](x, y, last, x.shape[1], BLOCK=512)
    return y, last
