#@case {"kernel":"product","spec":{"run":{"kind":"entry","entry":{"call":"case.py::run","arguments":["x", "w"]}},"inputs":{"x": {"dtype": "int8", "shape": ["n"]}, "w": {"dtype": "int8", "shape": ["n"]}},"outputs":{"y":{"dtype":"float32","shape":["n"]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def product(x, w, y, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    d = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for at in range(0, k, BK):
        a = tl.load(x + i[:, None] * k + (at + d)[None, :])
        b = tl.load(w + j[None, :] * k + (at + d)[:, None])
        acc += tl.dot(a.to(tl.float32), b.to(tl.float32), allow_tf32=False)  #@ instructions=40000
    tl.store(y + i[:, None] * n + j[None, :], acc)


def run(x, w):
    m, k = x.shape
    n = w.shape[0]
    y = torch.empty((m, n), device=x.device, dtype=torch.float32)
    product[(m // 64, n // 64)](x, w, y, m, n, k, BM=64, BN=64, BK=32)
    return y
