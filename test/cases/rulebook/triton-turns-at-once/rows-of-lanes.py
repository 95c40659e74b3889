#@case {"kernel": "normalise"}
from triton import language as tl, jit, cdiv
import torch


@jit
def normalise(x_ptr, gain_ptr, y_ptr, rows, stride, columns, LANES: tl.constexpr):
    row = tl.program_id(axis=0) * LANES + tl.arange(0, LANES)
    live = row < rows
    start = x_ptr + row * stride
    most = tl.full([LANES], float("-inf"), tl.float32)
    for column in range(columns):
        most = tl.maximum(most, tl.load(start + column, mask=live, other=0.0).to(tl.float32))  #@ globalLoadSectors=80000 globalLoadSectorsIdeal=10000
    below = tl.zeros([LANES], tl.float32)
    for column in range(columns):
        x = tl.load(start + column, mask=live, other=0.0)  #@ globalLoadSectors=80000 globalLoadSectorsIdeal=10000
        below = below + tl.exp(x - most)
    for column in range(columns):
        x = tl.load(start + column, mask=live, other=0.0)  #@ globalLoadSectors=80000 globalLoadSectorsIdeal=10000
        gain = tl.load(gain_ptr + column)
        tl.store(y_ptr + row * columns + column, gain * tl.exp(x - most) / below, mask=live)


def run(x, gain):
    y = torch.empty_like(x)
    normalise[(cdiv(x.shape[0], 128),)](x, gain, y, x.shape[0], x.stride(0), x.shape[1], LANES=128)
    return y
