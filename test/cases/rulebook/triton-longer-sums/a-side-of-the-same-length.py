#@case {"kernel":"product"}
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
        a = tl.load(x + i[:, None] * k + (at + d)[None, :], mask=(at + d)[None, :] < k, other=0.0)
        b = tl.load(w + (at + d)[:, None] * n + j[None, :], mask=((at + d)[:, None] < k) & (j[None, :] < n), other=0.0)
        acc = tl.dot(a, b, acc)  #@ instructions=4000 tensorInstructions=400
    tl.store(y + i[:, None] * n + j[None, :], acc, mask=(i[:, None] < m) & (j[None, :] < n))


def run(x, w):
    m, k = x.shape
    n = w.shape[1]
    y = torch.empty((m, n), device=x.device)
    product[(triton.cdiv(m, 16), triton.cdiv(n, 32))](x, w, y, m, n, k, BM=16, BN=32, BK=32)
    return y
