#@case {"kernel": "norm", "launches": [{"blocks": 4, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.jit
def norm(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    s = 0.0
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * n + i, mask=i < n, other=0.0)  #@ instructions=1000
        s += tl.sum(v * v)
    tl.store(y + row, tl.sqrt(s))


def run(x):
    y = torch.empty(x.shape[0])
    norm[(x.shape[0],)](x, y, x.shape[1], BLOCK=512)
    return y
