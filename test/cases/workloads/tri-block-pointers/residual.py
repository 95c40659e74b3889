import triton
import triton.language as tl


@triton.jit
def add_tiles(left, right, total, rows, cols, left_step, right_step, total_step, TALL: tl.constexpr, WIDE: tl.constexpr):
    corner = (tl.program_id(0) * TALL, tl.program_id(1) * WIDE)
    a = tl.make_block_ptr(left, (rows, cols), (left_step, 1), corner, (TALL, WIDE), (1, 0))
    b = tl.make_block_ptr(right, (rows, cols), (right_step, 1), corner, (TALL, WIDE), (1, 0))
    c = tl.make_block_ptr(total, (rows, cols), (total_step, 1), corner, (TALL, WIDE), (1, 0))
    both = tl.load(a, boundary_check=(0, 1)) + tl.load(b, boundary_check=(0, 1))
    tl.store(c, both, boundary_check=(0, 1))
