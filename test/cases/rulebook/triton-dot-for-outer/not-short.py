#@case {"kernel": "project", "spec": {"run": {"kind": "entry", "entry": {"call": "case.py::run", "arguments": ["x", "w"]}}, "inputs": {"x": {"dtype": "float64", "shape": ["m", "k"]}, "w": {"dtype": "float64", "shape": ["k", "n"]}}, "outputs": {"y": {"dtype": "float64", "shape": ["m", "n"]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def project(x, w, y, M, N, K, BM: tl.constexpr, BN: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float64)
    for k in range(K):
        xk = tl.load(x + rm * K + k, mask=rm < M, other=0.0)  #@ instructions=1000
        wk = tl.load(w + k * N + rn, mask=rn < N, other=0.0)  #@ instructions=1000
        acc += xk[:, None] * wk[None, :]  #@ instructions=9000
    tl.store(y + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


def run(x, w):
    M, K = x.shape
    N = w.shape[1]
    y = torch.empty((M, N))
    project[(triton.cdiv(M, 32), triton.cdiv(N, 64))](x, w, y, M, N, K, BM=32, BN=64)
    return y
