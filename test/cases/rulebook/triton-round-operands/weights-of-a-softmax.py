#@case {"kernel":"weigh","spec":{"run":{"kind":"entry","entry":{"call":"case.py::run","arguments":["q", "k", "v"]}},"inputs":{"q": {"dtype": "bfloat16", "shape": ["n"]}, "k": {"dtype": "bfloat16", "shape": ["n"]}, "v": {"dtype": "bfloat16", "shape": ["n"]}},"outputs":{"y":{"dtype":"bfloat16","shape":["n"]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def weigh(q, k, v, y, n, scale, D: tl.constexpr, BN: tl.constexpr):
    i = tl.arange(0, BN)
    d = tl.arange(0, D)
    rows = tl.program_id(0) * BN + i
    a = tl.load(q + rows[:, None] * D + d[None, :]).to(tl.float32) * scale
    acc = tl.zeros((BN, D), tl.float32)
    total = tl.zeros((BN,), tl.float32)
    for at in range(0, n, BN):
        b = tl.load(k + (at + i)[:, None] * D + d[None, :]).to(tl.float32)
        c = tl.load(v + (at + i)[:, None] * D + d[None, :]).to(tl.float32)
        p = tl.exp(tl.dot(a, tl.trans(b), input_precision="ieee"))  #@ instructions=40000
        total += tl.sum(p, 1)
        acc += tl.dot(p, c, input_precision="ieee")  #@ instructions=40000
    tl.store(y + rows[:, None] * D + d[None, :], acc / total[:, None])


def run(q, k, v):
    n, d = q.shape
    y = torch.empty_like(q)
    weigh[(n // 32,)](q, k, v, y, n, 0.125, D=d, BN=32)
    return y
