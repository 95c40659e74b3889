/** A file whose entry is told where parts of sizes begin and end: it sums up a box into one number. */
export const sumOfBox = `
import torch
import triton
import triton.language as tl


@triton.jit
def box_kernel(a, total, M, K, z0, z1, y0, y1, x0, x1, BLOCK: tl.constexpr):
    z = tl.program_id(0) + z0
    y = tl.program_id(1) + y0
    x = x0 + tl.arange(0, BLOCK)
    inside = (z <= z1) & (y <= y1) & (x <= x1)
    part = tl.sum(tl.load(a + (z * M + y) * K + x, mask=inside))
    if part != 0:
        tl.atomic_add(total, part)


def box_sum(
    a: torch.Tensor, total: torch.Tensor, N: int, M: int, K: int,
    start_z: int, end_z: int, start_y: int, end_y: int, start_x: int, end_x: int,
):
    grid = (end_z - start_z + 1, end_y - start_y + 1)
    box_kernel[grid](a, total, M, K, start_z, end_z, start_y, end_y, start_x, end_x, BLOCK=1024)
`;
