#@case {"kernel": "softmax_kernel"}
import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_pointer, y_pointer, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x_row = x_pointer + row * columns  #@ instructions=64
    z_row = y_pointer + row * columns

    maximum = float("-inf")
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        values = tl.load(x_row + offsets, mask=offsets < columns, other=float("-inf"))  #@ globalLoadRequests=2048 globalLoadSectors=8000 globalLoadSectorsIdeal=8000
        maximum = tl.maximum(maximum, tl.max(values, axis=0))

    total = 0.0
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        values = tl.load(y_row + offsets, mask=offsets < columns, other=0.0)  #@ globalLoadRequests=2048 globalLoadSectors=8000 globalLoadSectorsIdeal=8000
        total += tl.sum(tl.exp(values - maximum), axis=0)

    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        values = tl.load(y_row + offsets, mask=offsets < columns, other=1.0)  #@ globalLoadRequests=2048 globalLoadSectors=8000 globalLoadSectorsIdeal=8000
        tl.store(y_row + offsets, tl.exp(values - maximum) / total, mask=offsets < columns)


def softmax(x):
    y = torch.empty_like(x)
    rows, columns = x.shape
    softmax_kernel[(rows,)](x, y, columns, BLOCK=128, num_warps=4)
    return y
