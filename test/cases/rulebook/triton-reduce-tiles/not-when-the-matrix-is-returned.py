#@case {"kernel": "affinity", "bound": {"gpu": "A100-40GB-SXM", "nanoseconds": 10000, "terms": {"dram": 5000, "torch": 4000}}}
import torch
import triton
import triton.language as tl


@triton.jit
def affinity(x_ptr, y_ptr, w_ptr, n, m, BN: tl.constexpr, BM: tl.constexpr):
    i = tl.program_id(0) * BN + tl.arange(0, BN)
    j = tl.program_id(1) * BM + tl.arange(0, BM)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    y = tl.load(y_ptr + j, mask=j < m, other=0.0)
    inside = (i[:, None] < n) & (j[None, :] < m)
    tl.store(w_ptr + i[:, None] * m + j[None, :], x[:, None] * y[None, :], mask=inside)  #@ globalStoreSectors=4096


def outer(x, y):
    n, m = x.numel(), y.numel()
    w = torch.empty((n, m), dtype=torch.float32, device=x.device)
    affinity[(triton.cdiv(n, 64), triton.cdiv(m, 64))](x, y, w, n, m, BN=64, BM=64)
    return w, w.sum(dim=1)
