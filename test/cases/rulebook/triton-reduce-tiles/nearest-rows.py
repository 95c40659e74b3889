#@case {"kernel": "distances", "bound": {"gpu": "A100-40GB-SXM", "nanoseconds": 10000, "terms": {"dram": 5000, "torch": 4000}}}
import torch
import triton
import triton.language as tl


@triton.jit
def distances(x_ptr, c_ptr, d_ptr, n, k, D: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    codes = tl.program_id(1) * BLOCK_K + tl.arange(0, BLOCK_K)
    dist = tl.zeros((BLOCK_N, BLOCK_K), dtype=tl.float32)
    for at in range(D):
        x = tl.load(x_ptr + rows * D + at, mask=rows < n, other=0.0)
        c = tl.load(c_ptr + codes * D + at, mask=codes < k, other=0.0)
        apart = x[:, None] - c[None, :]
        dist += apart * apart
    inside = (rows[:, None] < n) & (codes[None, :] < k)
    tl.store(d_ptr + rows[:, None] * k + codes[None, :], dist, mask=inside)  #@ globalStoreSectors=4096


@triton.jit
def take_rows(c_ptr, i_ptr, y_ptr, D: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, D)
    tl.store(y_ptr + row * D + at, tl.load(c_ptr + tl.load(i_ptr + row) * D + at))


def quantized(x, codebook):
    n, k = x.shape[0], codebook.shape[0]
    d = torch.empty((n, k), device=x.device)
    grid = (triton.cdiv(n, 32), triton.cdiv(k, 32))
    distances[grid](x, codebook, d, n, k, D=16, BLOCK_N=32, BLOCK_K=32)
    y = torch.empty_like(x)
    take_rows[(n,)](codebook, d.argmin(dim=-1), y, D=16)
    return y
