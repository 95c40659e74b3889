#@case {"kernel": "power", "launches": [{"blocks": 4, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.jit
def power(x, y, length, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, length, BLOCK):
        t = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * length + t, mask=t < length, other=0.0)  #@ instructions=1000
        acc += v * v
    mean = tl.sum(acc, axis=0) / length
    tl.store(y + row, mean)


def run(x):
    y = torch.empty(x.shape[0], device=x.device)
    power[(x.shape[0],)](x, y, x.shape[1], BLOCK=1024)
    return y
