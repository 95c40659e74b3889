#@case {"kernel": "peaks"}
import torch
import triton
import triton.language as tl


@triton.jit
def peaks(x, y, width, row_step, column_step, SPAN: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, SPAN)
    v = tl.load(x + row * row_step + c * column_step, mask=c < width, other=0.0)  #@ globalLoadSectors=32768 globalLoadSectorsIdeal=4096
    tl.store(y + row, tl.max(v, axis=0))


def run(x):
    y = torch.empty(x.shape[0])
    peaks[(x.shape[0],)](x, y, x.shape[1], x.stride(0), x.stride(1), SPAN=64)
    return y
