#@case {"kernel": "tall", "launches": [{"blocks": 4, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.jit
def tall(a, b, c, depth, a_step, b_step, ROWS: tl.constexpr, COLUMNS: tl.constexpr, DEEP: tl.constexpr):
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    j = tl.arange(0, COLUMNS)
    d = tl.arange(0, DEEP)
    left = a + i[:, None] * a_step + d[None, :]
    right = b + d[:, None] * b_step + j[None, :]
    total = tl.zeros((ROWS, COLUMNS), tl.float32)
    for start in range(0, depth, DEEP):
        x = tl.load(left, mask=d[None, :] < depth - start, other=0.0)  #@ instructions=1000
        y = tl.load(right, mask=d[:, None] < depth - start, other=0.0)
        total += tl.dot(x, y)
        left += DEEP
        right += DEEP * b_step
    tl.store(c + i[:, None] * COLUMNS + j[None, :], total)


def product(a, b):
    c = torch.empty((64, 32), device=a.device)
    tall[(4,)](a, b, c, a.shape[1], a.stride(0), b.stride(0), ROWS=16, COLUMNS=32, DEEP=32)
    return c
