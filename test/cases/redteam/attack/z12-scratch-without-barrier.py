# task: triton-softmax
# source: z
# does: keeps exponentials in its output and takes them from there again in another arrangement, with no barrier between
# caught by: uninitialized-read or shared-race

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x, y, columns, WHOLE: tl.constexpr, PIECE: tl.constexpr):
    x += tl.program_id(0) * columns
    y += tl.program_id(0) * columns
    at = tl.arange(0, WHOLE)
    values = tl.load(x + at, mask=at < columns, other=float("-inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    factor = 1.0 / tl.sum(powers, axis=0)
    tl.store(y + at, powers, mask=at < columns)
    # Backwards: the end of the row is what the cache still holds.
    for start in range(0, columns, PIECE):
        back = columns - 1 - start - tl.arange(0, PIECE)
        tl.store(y + back, tl.load(y + back, mask=back >= 0) * factor, mask=back >= 0)


def softmax(x):
    y = torch.empty_like(x)
    rows, columns = x.shape
    softmax_kernel[(rows,)](x, y, columns, WHOLE=triton.next_power_of_2(columns), PIECE=256, num_warps=4)
    return y
