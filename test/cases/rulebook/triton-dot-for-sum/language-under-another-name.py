#@case {"kernel": "product", "spec": {"run": {"kind": "entry", "entry": {"call": "case.py::run", "arguments": ["a", "b", "c"]}}, "inputs": {"a": {"dtype": "float16", "shape": ["m", "k"]}, "b": {"dtype": "float16", "shape": ["k", "n"]}}}}
import triton
from triton import language as L


@triton.jit
def product(A, B, C, M, N, K, BM: L.constexpr, BN: L.constexpr, BK: L.constexpr):
    m = L.program_id(0) * BM + L.arange(0, BM)
    n = L.program_id(1) * BN + L.arange(0, BN)
    total = L.zeros((BM, BN), L.float32)
    for k0 in range(0, K, BK):
        k = k0 + L.arange(0, BK)
        a = L.load(A + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        b = L.load(B + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        total += L.sum(a[:, :, None].to(L.float32) * b[None, :, :].to(L.float32), axis=1)  #@ instructions=40000 threadInstructions=1280000
    L.store(C + m[:, None] * N + n[None, :], total, mask=(m[:, None] < M) & (n[None, :] < N))


def run(a, b, c):
    M, K = a.shape
    product[(triton.cdiv(M, 32), triton.cdiv(c.shape[1], 32))](a, b, c, M, c.shape[1], K, BM=32, BN=32, BK=16)
