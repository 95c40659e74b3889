#@case {"kernel": "centre"}
import torch
import triton
import triton.language as tl


@triton.jit
def centre(X, Y, N: tl.constexpr, PART: tl.constexpr):
    row = tl.program_id(0) * N
    total = 0.0
    for i in tl.range(0, tl.cdiv(N, PART)):
        columns = i * PART + tl.arange(0, PART)
        total += tl.sum(tl.load(X + row + columns, mask=columns < N, other=0.0))  #@ globalLoadSectors=4000
    mean = total / N
    for i in tl.range(0, tl.cdiv(N, PART)):
        columns = i * PART + tl.arange(0, PART)
        x = tl.load(X + row + columns, mask=columns < N, other=0.0)  #@ globalLoadSectors=4000
        tl.store(Y + row + columns, x - mean, mask=columns < N)


def run(x):
    y = torch.empty_like(x)
    centre[(x.shape[0],)](x, y, N=x.shape[1], PART=128)
    return y
