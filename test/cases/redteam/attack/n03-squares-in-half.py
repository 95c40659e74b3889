# task: triton-half-rms
# source: n
# does: squares a sixteenth of each number in half precision and sums only the squares in single, which loses rows of very small or large numbers
# caught by: wrong values

import torch
import triton
import triton.language as tl


@triton.jit
def rms_kernel(x, weight, y, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    values = tl.load(x + row * columns + at, mask=inside, other=0.0)
    # A sixteenth, so that the square has room.
    small = values * tl.full((1,), 0.0625, tl.float16)
    squares = (small * small).to(tl.float32)
    scale = tl.rsqrt(tl.sum(squares, axis=0) * 256.0 / columns + epsilon)
    gain = tl.load(weight + at, mask=inside, other=0.0).to(tl.float32)
    tl.store(y + row * columns + at, (values.to(tl.float32) * (scale * gain)).to(tl.float16), mask=inside)


def rms(x, weight):
    y = torch.empty_like(x)
    rows, columns = x.shape
    rms_kernel[(rows,)](x, weight, y, columns, 1e-6, BLOCK=triton.next_power_of_2(columns), num_warps=2)
    return y
