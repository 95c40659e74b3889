#@case {"kernel":"attend","spec":{"outputs":{"o":{"dtype":"float16","shape":["n","d"]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def attend(q, k, v, o, n, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    a = tl.load(q + i[:, None] * D + d[None, :], mask=i[:, None] < n, other=0.0)
    top = tl.full((BM,), float("-inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for at in range(0, n, BN):
        j = at + tl.arange(0, BN)
        b = tl.load(k + j[:, None] * D + d[None, :], mask=j[:, None] < n, other=0.0)
        c = tl.load(v + j[:, None] * D + d[None, :], mask=j[:, None] < n, other=0.0)
        s = tl.dot(a, tl.trans(b))  #@ instructions=20000
        s = tl.where((i[:, None] >= j[None, :]) & (j[None, :] < n), s, float("-inf"))
        higher = tl.maximum(top, tl.max(s, 1))
        scale = tl.exp(top - higher)
        p = tl.exp(s - higher[:, None])
        acc, total, top = acc * scale[:, None] + tl.dot(p.to(c.dtype), c), total * scale + tl.sum(p, 1), higher
    tl.store(o + i[:, None] * D + d[None, :], (acc / total[:, None]).to(tl.float16), mask=i[:, None] < n)


def run(q, k, v):
    n, d = q.shape
    o = torch.empty_like(q)
    attend[(triton.cdiv(n, 64),)](q, k, v, o, n, D=d, BM=64, BN=64)
    return o
