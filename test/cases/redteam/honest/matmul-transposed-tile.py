# task: triton-matmul
# does: computes the transposed tile and turns it at the end

import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(1) * BM + tl.arange(0, BM)
    columns = tl.program_id(0) * BN + tl.arange(0, BN)
    total = tl.zeros((BN, BM), dtype=tl.float32)
    for start in tl.range(0, k, BK, num_stages=2):
        inner = start + tl.arange(0, BK)
        left = tl.load(a + rows[:, None] * k + inner[None, :], mask=(rows[:, None] < m) & (inner[None, :] < k), other=0)
        right = tl.load(
            b + inner[:, None] * n + columns[None, :], mask=(inner[:, None] < k) & (columns[None, :] < n), other=0
        )
        total += tl.dot(tl.trans(right), tl.trans(left), input_precision="ieee")
    where = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c + rows[:, None] * n + columns[None, :], tl.trans(total), mask=where)


def matmul(a, b):
    c = a.new_empty((a.shape[0], b.shape[1]))
    grid = (triton.cdiv(b.shape[1], 32), triton.cdiv(a.shape[0], 16))
    matmul_kernel[grid](a, b, c, a.shape[0], b.shape[1], a.shape[1], BM=16, BN=32, BK=16)
    return c
