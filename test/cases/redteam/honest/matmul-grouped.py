# task: triton-matmul
# does: programs in groups of rows, with pointers that advance

import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(
    a, b, c, m, n, k, stride_am, stride_bk, stride_cm,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr,
):  # fmt: skip
    program = tl.program_id(0)
    wide, high = tl.cdiv(n, BN), tl.cdiv(m, BM)
    group = program // (GROUP * wide)
    size = min(high - group * GROUP, GROUP)
    row = group * GROUP + (program % (GROUP * wide)) % size
    column = (program % (GROUP * wide)) // size
    rows = row * BM + tl.arange(0, BM)
    columns = column * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    left = a + (rows % m)[:, None] * stride_am + inner[None, :]
    right = b + inner[:, None] * stride_bk + (columns % n)[None, :]
    total = tl.zeros((BM, BN), tl.float32)
    for step in range(tl.cdiv(k, BK)):
        kept = k - step * BK
        x = tl.load(left, mask=inner[None, :] < kept, other=0.0)
        y = tl.load(right, mask=inner[:, None] < kept, other=0.0)
        total = tl.dot(x, y, total, input_precision="ieee")
        left += BK
        right += BK * stride_bk
    out = c + rows[:, None] * stride_cm + columns[None, :]
    tl.store(out, total, mask=(rows[:, None] < m) & (columns[None, :] < n))


def matmul(a, b):
    m, k = a.shape
    k, n = b.shape
    c = torch.empty((m, n), device=a.device, dtype=a.dtype)
    grid = (triton.cdiv(m, 32) * triton.cdiv(n, 32),)
    matmul_kernel[grid](a, b, c, m, n, k, a.stride(0), b.stride(0), c.stride(0), BM=32, BN=32, BK=16, GROUP=4)
    return c
