#@case {"kernel": "norm"}
import torch
import triton
import triton.language as tl

@triton.jit
def norm(X, Y, W, stride, N, eps, BLOCK_SIZE: tl.constexpr):
    row = tl.program_id(0)
    X += row * stride
    Y += row * stride
    _mean = tl.zeros([BLOCK_SIZE], dtype=tl.float32)
    for off in range(0, N, BLOCK_SIZE):
        cols = off + tl.arange(0, BLOCK_SIZE)
        mask = cols < N
        x = tl.load(X + cols, mask=mask, other=0.).to(tl.float32)  #@ globalLoadRequests=2048 globalLoadSectors=8000 globalLoadSectorsIdeal=8000
        _mean += x
    mean = tl.sum(_mean, axis=0) / N
    _var = tl.zeros([BLOCK_SIZE], dtype=tl.float32)
    for off in range(0, N, BLOCK_SIZE):
        cols = off + tl.arange(0, BLOCK_SIZE)
        mask = cols < N
        x = tl.load(X + cols, mask=mask, other=0.).to(tl.float32)  #@ globalLoadRequests=2048 globalLoadSectors=8000 globalLoadSectorsIdeal=8000
        x = tl.where(mask, x - mean, 0.)
        _var += x * x
    rstd = 1 / tl.sqrt(tl.sum(_var, axis=0) / N + eps)
    for off in range(0, N, BLOCK_SIZE):
        cols = off + tl.arange(0, BLOCK_SIZE)
        mask = cols < N
        x = tl.load(X + cols, mask=mask, other=0.).to(tl.float32)  #@ globalLoadRequests=2048 globalLoadSectors=8000 globalLoadSectorsIdeal=8000
        w = tl.load(W + cols, mask=mask)
        tl.store(Y + cols, (x - mean) * rstd * w, mask=mask)

def layer_norm(x, weight):
    y = torch.empty_like(x)
    rows, columns = x.shape
    norm[(rows,)](x, y, weight, x.stride(0), columns, 1e-5, BLOCK_SIZE=256)
    return y
