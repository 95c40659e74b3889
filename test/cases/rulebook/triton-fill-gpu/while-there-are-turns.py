#@case {"kernel": "scale", "launches": [{"blocks": 8, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.jit
def scale(x, y, rows, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    while row < rows:
        v = tl.load(x + row * n + i, mask=i < n)  #@ instructions=4096
        tl.store(y + row * n + i, v / 3, mask=i < n)
        row += tl.num_programs(0)


def run(x, workers):
    y = torch.empty_like(x)
    scale[(workers,)](x, y, x.shape[0], x.shape[1], BLOCK=1024)
    return y
