import torch, triton
import triton.language as tl

@triton.jit
def _qlinear(a_ptr, qw_ptr, scales_ptr, c_ptr, M, N, K,
             stride_am, stride_ak, stride_wn, stride_wk, stride_cm, stride_cn,
             BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros([BM, BN], dtype=tl.float32)
    for kk in range(tl.cdiv(K, BK)):
        k = kk * BK + tl.arange(0, BK)
        a = tl.load(a_ptr + m[:, None] * stride_am + k[None, :] * stride_ak, mask=(m < M)[:, None] & (k < K)[None, :], other=0.0)
        w = tl.load(qw_ptr + n[:, None] * stride_wn + k[None, :] * stride_wk, mask=(n < N)[:, None] & (k < K)[None, :], other=0)
        s = tl.load(scales_ptr + n, mask=n < N, other=1.0)
        w = w.to(tl.float16)
        w = w * s[:, None]
        acc = tl.dot(a, tl.trans(w), acc)
    tl.store(c_ptr + m[:, None] * stride_cm + n[None, :] * stride_cn, acc.to(tl.float16), mask=(m < M)[:, None] & (n < N)[None, :])

def qlinear(a, qw, scales):
    M, K = a.shape
    N = qw.shape[0]
    c = torch.empty(M, N, device=a.device, dtype=a.dtype)
    _qlinear[(triton.cdiv(M, 64), triton.cdiv(N, 64))](a, qw, scales, c, M, N, K, a.stride(0), a.stride(1), qw.stride(0), qw.stride(1), c.stride(0), c.stride(1), BM=64, BN=64, BK=64)
    return c

if __name__ == "__main__":
    a = torch.randn(512, 512, device="cuda", dtype=torch.float16)
    qw = torch.randint(-8, 8, (1024, 512), device="cuda", dtype=torch.int8)
    s = (torch.rand(1024, device="cuda") * 0.1).to(torch.float16)
    print(qlinear(a, qw, s).float().sum())
