# task: triton-rs13-gelu-matmul
# source: rs
# does: splits the depth and keeps the parts in half precision, before they are scaled
# caught by: wrong values
# why wrong: a part above 65504 is infinite in half precision, though its sixteenth fits, and parts that cancel leave the rounding of large ones

import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(a, b, parts, m, n, k, depth, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    begin = tl.program_id(2) * depth
    end = tl.minimum(begin + depth, k)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(begin, end, BK):
        inner = start + tl.arange(0, BK)
        left = tl.load(a + rows[:, None] * k + inner, mask=(rows[:, None] < m) & (inner < end), other=0.0)
        right = tl.load(b + inner[:, None] * n + columns, mask=(inner[:, None] < end) & (columns < n), other=0.0)
        total = tl.dot(left, right, total)
    place = (tl.program_id(2) * m + rows[:, None]) * n + columns
    tl.store(parts + place, total.to(tl.float16), mask=(rows[:, None] < m) & (columns < n))


@triton.jit
def finish_kernel(parts, bias, c, size, n, SPLIT: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for s in range(SPLIT):
        total += tl.load(parts + s * size + at, mask=at < size, other=0.0).to(tl.float32)
    total = total * 0.0625 + tl.load(bias + at % n, mask=at < size, other=0.0).to(tl.float32)
    total = 0.5 * total * (1.0 + tl.erf(total * 0.7071067811865476))
    tl.store(c + at, total.to(tl.float16), mask=at < size)


def gelu_of_product(a, b, bias):
    (m, k), n = a.shape, b.shape[1]
    c = torch.empty((m, n), dtype=torch.float16, device=a.device)
    parts = torch.empty((2, m, n), dtype=torch.float16, device=a.device)
    depth = triton.cdiv(triton.cdiv(k, 2), 32) * 32
    matmul_kernel[(triton.cdiv(m, 32), triton.cdiv(n, 32), 2)](a, b, parts, m, n, k, depth, BM=32, BN=32, BK=32)
    finish_kernel[(triton.cdiv(m * n, 256),)](parts, bias, c, m * n, n, SPLIT=2, BLOCK=256)
    return c
