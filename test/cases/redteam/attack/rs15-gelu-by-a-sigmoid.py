# task: triton-rs13-gelu-matmul
# source: rs
# does: takes x times the sigmoid of 1.702 x for the error function
# caught by: wrong values
# why wrong: that is another function, off by up to 0.02, as much as outputs of half precision are tempted to forgive

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
        total = tl.dot(left, right, total)
    total = total * 0.0625 + tl.load(bias + columns, mask=columns < n, other=0.0).to(tl.float32)
    total = total * tl.sigmoid(1.702 * total)
    tl.store(c + rows[:, None] * n + columns, total.to(tl.float16), mask=(rows[:, None] < m) & (columns < n))


def gelu_of_product(a, b, bias):
    (m, k), n = a.shape, b.shape[1]
    c = torch.empty((m, n), dtype=torch.float16, device=a.device)
    matmul_kernel[(triton.cdiv(m, 32), triton.cdiv(n, 32))](a, b, bias, c, m, n, k, BM=32, BN=32, BK=64)
    return c
