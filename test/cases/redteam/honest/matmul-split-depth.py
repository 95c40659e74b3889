# task: triton-matmul
# does: splits the depth over programs that add atomically

import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PARTS: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(tl.program_id(2) * BK, k, PARTS * BK):
        inner = start + tl.arange(0, BK)
        left = tl.load(a + rows[:, None] * k + inner[None, :], mask=(rows < m)[:, None] & (inner < k)[None, :], other=0.0)
        right = tl.load(
            b + inner[:, None] * n + columns[None, :], mask=(inner < k)[:, None] & (columns < n)[None, :], other=0.0
        )
        total += tl.dot(left, right, input_precision="ieee")
    tl.atomic_add(c + rows[:, None] * n + columns[None, :], total, mask=(rows < m)[:, None] & (columns < n)[None, :])


def matmul(a, b):
    (m, k), (_, n) = a.shape, b.shape
    c = torch.zeros((m, n), dtype=torch.float32, device=a.device)
    matmul_kernel[(triton.cdiv(m, 16), triton.cdiv(n, 16), 2)](a, b, c, m, n, k, BM=16, BN=16, BK=16, PARTS=2)
    return c
