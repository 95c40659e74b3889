#@case {"kernel": "product", "spec": {"run": {"kind": "entry", "entry": {"call": "case.py::run", "arguments": ["a", "b", "c"]}}, "inputs": {"a": {"dtype": "float16", "shape": ["m", "k"]}, "b": {"dtype": "float16", "shape": ["k", "n"]}}}}
import triton
import triton.language as tl


@triton.jit
def product(A, B, C, M, N, K, TF32: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), tl.float32)
    for k0 in range(0, K, BK):
        k = k0 + tl.arange(0, BK)
        a = tl.load(A + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        b = tl.load(B + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        total = tl.dot(a, b, total, allow_tf32=TF32)  #@ instructions=40000 threadInstructions=1280000
    tl.store(C + m[:, None] * N + n[None, :], total, mask=(m[:, None] < M) & (n[None, :] < N))


def run(a, b, c):
    M, K = a.shape
    product[(triton.cdiv(M, 32), triton.cdiv(c.shape[1], 32))](a, b, c, M, c.shape[1], K, False, BM=32, BN=32, BK=16)
