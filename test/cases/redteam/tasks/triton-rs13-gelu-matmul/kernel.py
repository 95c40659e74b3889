import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(a, b, bias, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        inner = start + tl.arange(0, BK)
        left = tl.load(a + rows[:, None] * k + inner, mask=(rows[:, None] < m) & (inner < k), other=0.0)
        right = tl.load(b + inner[:, None] * n + columns, mask=(inner[:, None] < k) & (columns < n), other=0.0)
        total += tl.dot(left, right)
    total = total * 0.0625 + tl.load(bias + columns, mask=columns < n, other=0.0).to(tl.float32)
    total = 0.5 * total * (1.0 + tl.erf(total * 0.7071067811865476))
    tl.store(c + rows[:, None] * n + columns, total.to(tl.float16), mask=(rows[:, None] < m) & (columns < n))


def gelu_of_product(a, b, bias):
    (m, k), n = a.shape, b.shape[1]
    c = torch.empty((m, n), dtype=torch.float16, device=a.device)
    matmul_kernel[(triton.cdiv(m, 16), triton.cdiv(n, 16))](a, b, bias, c, m, n, k, BM=16, BN=16, BK=32)
    return c
