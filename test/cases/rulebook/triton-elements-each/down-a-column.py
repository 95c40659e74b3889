#@case {"kernel": "column"}
import torch
import triton
import triton.language as tl


@triton.jit
def column(x, mean, rows, cols):
    j = tl.program_id(axis=1)
    s = 0.0
    for i in range(rows):
        s += tl.load(x + i * cols + j)  #@ globalLoadRequests=1000
    tl.store(mean + j, s / rows)  #@ globalStoreRequests=10


def run(x):
    rows, cols = x.shape
    mean = torch.empty(cols)
    grid = (1, cols)
    column[grid](x, mean, rows, cols)
    return mean
