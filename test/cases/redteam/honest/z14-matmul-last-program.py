# task: triton-matmul
# does: programs leave their parts of the depth in scratch memory, and the last one of a tile adds them up in a fixed order

import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(
    a, b, c, scratch, counters, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PARTS: tl.constexpr
):
    part = tl.program_id(2)
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(part * BK, k, BK * PARTS):
        inner = start + tl.arange(0, BK)
        left = tl.load(a + rows[:, None] * k + inner, mask=(rows[:, None] < m) & (inner < k), other=0.0)
        right = tl.load(b + inner[:, None] * n + columns, mask=(inner[:, None] < k) & (columns < n), other=0.0)
        total += tl.dot(left, right, input_precision="ieee")

    tile = tl.program_id(0) * tl.num_programs(1) + tl.program_id(1)
    inside = tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)
    mine = scratch + tile * PARTS * BM * BN + inside
    tl.store(mine + part * BM * BN, total)
    # All threads have stored before one of them publishes.
    tl.debug_barrier()
    before = tl.atomic_add(counters + tile, 1, sem="acq_rel", scope="gpu")
    if before == PARTS - 1:
        tl.debug_barrier()
        total = tl.zeros((BM, BN), dtype=tl.float32)
        for other in range(0, PARTS):
            total += tl.load(mine + other * BM * BN, cache_modifier=".cg")
        tl.store(c + rows[:, None] * n + columns, total, mask=(rows[:, None] < m) & (columns < n))


def matmul(a, b):
    (m, k), n = a.shape, b.shape[1]
    c = torch.empty((m, n), dtype=torch.float32, device=a.device)
    grid = (triton.cdiv(m, 16), triton.cdiv(n, 32), 2)
    tiles = grid[0] * grid[1]
    scratch = torch.empty(tiles * 2 * 16 * 32, dtype=torch.float32, device=a.device)
    counters = torch.zeros(tiles, dtype=torch.int32, device=a.device)
    matmul_kernel[grid](a, b, c, scratch, counters, m, n, k, BM=16, BN=32, BK=16, PARTS=2)
    return c
