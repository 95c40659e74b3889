# task: triton-matmul
# does: multiplies and adds by broadcasting

import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(a, b, c, m, n, k, BN: tl.constexpr, BK: tl.constexpr):
    row, columns = tl.program_id(0), tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BN,), dtype=tl.float32)
    for start in range(0, k, BK):
        inner = start + tl.arange(0, BK)
        left = tl.load(a + row * k + inner, mask=inner < k, other=0.0)
        right = tl.load(b + inner[:, None] * n + columns, mask=(inner[:, None] < k) & (columns < n), other=0.0)
        total += tl.sum(left[:, None] * right, axis=0)
    tl.store(c + row * n + columns, total, mask=columns < n)


def matmul(a, b):
    (m, k), n = a.shape, b.shape[1]
    c = torch.empty((m, n), dtype=torch.float32)
    matmul_kernel[(m, triton.cdiv(n, 32))](a, b, c, m, n, k, BN=32, BK=16)
    return c
