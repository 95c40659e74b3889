#@case {"kernel": "project", "spec": {"run": {"kind": "entry", "entry": {"call": "case.py::run", "arguments": ["x", "w"]}}, "inputs": {"x": {"dtype": "float16", "shape": ["m", "k"]}, "w": {"dtype": "float16", "shape": ["k", "n"]}}, "outputs": {"y": {"dtype": "float16", "shape": ["m", "n"]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def project(x, w, y, M, N, K, sx, sw, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    a_ptrs = x + rows * K
    b_ptrs = w + cols
    total = tl.zeros([BM, BN], tl.float32)
    for _ in range(0, K):
        b = tl.load(b_ptrs, cols < N, other=0).to(tl.float32)  #@ instructions=1000
        a = tl.load(a_ptrs, rows < M, other=0).to(tl.float32)  #@ instructions=1000
        total = total + b[None, :] * a[:, None]  #@ instructions=9000
        a_ptrs += sx
        b_ptrs += sw
    tl.store(y + rows[:, None] * N + cols[None, :], total.to(tl.float16), (rows[:, None] < M) & (cols[None, :] < N))


def run(x, w):
    M, K = x.shape
    N = w.shape[1]
    y = torch.empty((M, N), dtype=torch.float16)
    project[(triton.cdiv(M, 32), triton.cdiv(N, 64))](x, w, y, M, N, K, x.stride(1), w.stride(0), BM=32, BN=64)
    return y
