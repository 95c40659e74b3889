#@case {"kernel": "distances", "bound": {"gpu": "A100-40GB-SXM", "nanoseconds": 10000, "terms": {"dram": 5000, "torch": 4000}}}
import torch
import triton
import triton.language as tl


@triton.jit
def distances(a_ptr, b_ptr, d_ptr, n, m, stride_n, stride_m, BLOCK_N: tl.constexpr, BLOCK_M: tl.constexpr):
    pm = tl.program_id(1)
    pn = tl.program_id(0)
    rm = pm * BLOCK_M + tl.arange(0, BLOCK_M)
    rn = pn * BLOCK_N + tl.arange(0, BLOCK_N)
    dist = tl.zeros((BLOCK_N, BLOCK_M), dtype=tl.float32)
    for k in range(3):
        a = tl.load(a_ptr + rn * 3 + k, mask=rn < n, other=0.0)
        b = tl.load(b_ptr + rm * 3 + k, mask=rm < m, other=0.0)
        dist += (a[:, None] - b[None, :]) * (a[:, None] - b[None, :])
    mask = (rn < n)[:, None] & (rm < m)[None, :]
    tl.store(d_ptr + rn[:, None] * stride_n + rm[None, :] * stride_m, dist, mask=mask)  #@ globalStoreSectors=4096


def nearest(a, b):
    d = torch.empty(a.shape[0], b.shape[0], device=a.device)
    grid = (triton.cdiv(a.shape[0], 32), triton.cdiv(b.shape[0], 64))
    distances[grid](a, b, d, a.shape[0], b.shape[0], d.stride(0), d.stride(1), BLOCK_N=32, BLOCK_M=64)
    best, which = d.min(dim=1)
    return best.sqrt(), which
