#@case {"kernel": "centre"}
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"PART": 128})], key=["N"])
@triton.jit
def centre(X, Y, N, PART: tl.constexpr):
    row = tl.program_id(0) * N
    total = 0.0
    for start in range(0, N, PART):
        columns = start + tl.arange(0, PART)
        total += tl.sum(tl.load(X + row + columns, mask=columns < N, other=0.0))  #@ globalLoadSectors=4000
    mean = total / N
    for start in range(0, N, PART):
        columns = start + tl.arange(0, PART)
        x = tl.load(X + row + columns, mask=columns < N, other=0.0)  #@ globalLoadSectors=4000
        tl.store(Y + row + columns, x - mean, mask=columns < N)


def run(x):
    y = torch.empty_like(x)
    centre[(x.shape[0],)](x, y, x.shape[1])
    return y
