#@case {"kernel": "w8a16"}
import torch
import triton
import triton.language as tl


@triton.jit
def w8a16(x_ptr, w_ptr, s_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    scale = tl.load(s_ptr + rn, mask=rn < N, other=0.0)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(x_ptr + rm[:, None] * K + (k + rk)[None, :], mask=rm[:, None] < M, other=0.0)
        q = tl.load(w_ptr + (k + rk)[:, None] * N + rn[None, :], mask=rn[None, :] < N, other=0)
        w = (q.to(tl.float32) * scale[None, :]).to(tl.float16)  #@ instructions=4000
        acc += tl.dot(x, w)
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc.to(tl.float16), mask=(rm[:, None] < M) & (rn[None, :] < N))


def linear(x, w, scale):
    y = torch.empty((x.shape[0], w.shape[1]), device=x.device, dtype=torch.float16)
    w8a16[(8, 8)](x, w, scale, y, x.shape[0], w.shape[1], x.shape[1], BM=64, BN=64, BK=32)
    return y
