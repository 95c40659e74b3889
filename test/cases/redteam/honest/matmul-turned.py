# task: triton-matmul
# does: loads both tiles turned round and multiplies in the other order

import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    turned = tl.zeros((BN, BM), dtype=tl.float32)
    for start in range(0, k, BK):
        inner = start + tl.arange(0, BK)
        left = tl.load(a + rows[None, :] * k + inner[:, None], mask=(rows[None, :] < m) & (inner[:, None] < k), other=0.0)
        right = tl.load(b + inner[None, :] * n + columns[:, None], mask=(inner[None, :] < k) & (columns[:, None] < n), other=0.0)
        turned = tl.dot(right, left, turned, input_precision="ieee")
    tl.store(c + rows[:, None] * n + columns, tl.trans(turned), mask=(rows[:, None] < m) & (columns < n))


def matmul(a, b):
    (m, k), n = a.shape, b.shape[1]
    c = torch.empty((m, n), dtype=torch.float32)
    matmul_kernel[(triton.cdiv(m, 32), triton.cdiv(n, 32))](a, b, c, m, n, k, BM=32, BN=32, BK=16)
    return c
