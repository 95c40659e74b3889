#@case {"kernel": "grouped"}
import torch
import triton
import triton.language as tl


@triton.jit
def grouped(x_ptr, w_ptr, s_ptr, y_ptr, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    scale = tl.load(s_ptr + rk)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(x_ptr + rm[:, None] * K + (k + rk)[None, :])
        q = tl.load(w_ptr + (k + rk)[:, None] * N + rn[None, :])
        acc += tl.dot(x, (q * scale[:, None]).to(tl.float16))  #@ instructions=4000
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc)


def run(x, w, s):
    y = torch.empty((x.shape[0], w.shape[1]), device=x.device)
    grouped[(8, 8)](x, w, s, y, w.shape[1], x.shape[1], BM=64, BN=64, BK=32)
    return y
