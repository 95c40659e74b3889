# task: triton-matmul
# does: persistent programs over tiles in swizzled order

import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(
    a, b, c, m, n, k, PROGRAMS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr
):
    across = tl.cdiv(n, BN)
    for tile in tl.range(tl.program_id(0), tl.cdiv(m, BM) * across, PROGRAMS, num_stages=2):
        rows = tile // across * BM + tl.arange(0, BM)
        columns = tile % across * BN + tl.arange(0, BN)
        total = tl.zeros((BM, BN), dtype=tl.float32)
        for start in tl.range(0, k, BK, num_stages=3):
            inner = start + tl.arange(0, BK)
            left = tl.load(
                a + rows[:, None] * k + inner[None, :],
                mask=(rows[:, None] < m) & (inner[None, :] < k),
                other=0.0,
            )
            right = tl.load(
                b + inner[:, None] * n + columns[None, :],
                mask=(inner[:, None] < k) & (columns[None, :] < n),
                other=0.0,
            )
            total = tl.dot(left, right, total, input_precision="tf32x3")
        tl.store(
            c + rows[:, None] * n + columns[None, :], total, mask=(rows[:, None] < m) & (columns[None, :] < n)
        )


def matmul(a, b):
    (m, k), (_, n) = a.shape, b.shape
    c = torch.empty((m, n), device=a.device, dtype=a.dtype)
    matmul_kernel[(4,)](a, b, c, m, n, k, PROGRAMS=4, BM=32, BN=32, BK=16)
    return c
