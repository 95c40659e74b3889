#@case {"kernel": "kept"}
import torch
import triton
import triton.language as tl


@triton.jit
def kept(x_ptr, w_ptr, s_ptr, full_ptr, y_ptr, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rk = tl.arange(0, BK)
    scale = tl.load(s_ptr + rn)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(x_ptr + rm[:, None] * K + (k + rk)[None, :])
        w = tl.load(w_ptr + (k + rk)[:, None] * N + rn[None, :]) * scale[None, :]  #@ instructions=4000
        tl.store(full_ptr + (k + rk)[:, None] * N + rn[None, :], w)
        acc += tl.dot(x, w)
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc)


def run(x, w, s, full):
    y = torch.empty((x.shape[0], w.shape[1]), device=x.device)
    kept[(8,)](x, w, s, full, y, w.shape[1], x.shape[1], BM=64, BN=64, BK=32)
    return y
