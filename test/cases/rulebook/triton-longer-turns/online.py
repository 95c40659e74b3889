#@case {"kernel": "lse"}
import torch
import triton
import triton.language as tl


@triton.jit
def lse(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    m = float("-inf")
    s = 0.0
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * n + i, mask=i < n, other=float("-inf"))  #@ globalLoadRequests=4000
        new = tl.maximum(m, tl.max(v, axis=0))
        s = s * tl.exp(m - new) + tl.sum(tl.exp(v - new), axis=0)
        m = new
    tl.store(y + row, m + tl.log(s))


def run(x):
    y = torch.empty(x.shape[0])
    lse[(x.shape[0],)](x, y, x.shape[1], BLOCK=64)
    return y
