#@case {"kernel": "moments", "launches": [{"blocks": 4, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({}, num_warps=2), triton.Config({})], key=["n"])
@triton.jit
def moments(x, s1, s2, n, BLOCK: tl.constexpr):
    c, b = tl.program_id(0), tl.program_id(1)
    a = 0.0
    q = 0.0
    for k in tl.range(tl.cdiv(n, BLOCK), num_stages=2):
        i = k * BLOCK + tl.arange(0, BLOCK)
        v = tl.load(x + (b * 2 + c) * n + i, mask=i < n, other=0.0)  #@ instructions=1000
        a = a + tl.sum(v)
        q += tl.sum(v * v)
    tl.store(s1 + b * 2 + c, a)
    tl.store(s2 + b * 2 + c, q * 0.5)


def run(x):
    s1 = torch.zeros(2, 2)
    s2 = x.new_empty((2, 2))
    moments[(2, 2)](x, s1, s2, x.shape[-1], BLOCK=512)
    return s1, s2
