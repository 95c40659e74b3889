#@case {"kernel": "log_kernel_tile", "bound": {"gpu": "A100-40GB-SXM", "nanoseconds": 10000, "terms": {"dram": 5000, "torch": 4000}}}
import torch
import triton
import triton.language as tl


@triton.jit
def log_kernel_tile(Q, X, OUT, n_query, n_sample, inv_two_h2, DIM: tl.constexpr, BLK_Q: tl.constexpr, BLK_X: tl.constexpr):
    """Log of a kernel for each pair."""
    j = tl.program_id(0) * BLK_X + tl.arange(0, BLK_X)
    i = tl.program_id(1) * BLK_Q + tl.arange(0, BLK_Q)
    i_in = i < n_query
    j_in = j < n_sample
    dist2 = tl.zeros((BLK_Q, BLK_X), dtype=tl.float32)
    for d in tl.static_range(DIM):
        q = tl.load(Q + d * n_query + i, mask=i_in, other=0.0)
        x = tl.load(X + d * n_sample + j, mask=j_in, other=0.0)
        diff = q[:, None] - x[None, :]
        dist2 += diff * diff
    tl.store(
        OUT + i[:, None].to(tl.int64) * n_sample + j[None, :],  #@ globalStoreSectors=4096
        -dist2 * inv_two_h2,
        mask=i_in[:, None] & j_in[None, :],
    )


def log_density(query, sample, bandwidth):
    dim, m = query.shape
    n = sample.shape[1]
    log_k = torch.empty((m, n), device=query.device, dtype=torch.float32)
    grid = (triton.cdiv(n, 128), triton.cdiv(m, 32))
    log_kernel_tile[grid](query, sample, log_k, m, n, 0.5 / bandwidth**2, DIM=dim, BLK_Q=32, BLK_X=128)
    return torch.logsumexp(log_k, dim=1) - 1.5
