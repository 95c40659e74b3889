#@case {"kernel": "total", "launches": [{"blocks": 4, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.jit
def total(x, y, rows, cols, BLOCK: tl.constexpr):
    j = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for i in range(rows):
        acc += tl.load(x + i * cols + j, mask=j < cols, other=0.0)  #@ instructions=1000
    tl.store(y + j, acc * 0.5, mask=j < cols)


def run(x):
    rows, cols = x.shape
    y = torch.empty(cols)
    total[(triton.cdiv(cols, 256),)](x, y, rows, cols, BLOCK=256)
    return y
