#@case {"kernel": "scaled", "spec": {"inputs": {"x": {"dtype": "float32", "shape": ["m", "n"]}}, "shapes": [{"sizes": {"m": 64, "n": 1001}}]}}
import torch
import triton
import triton.language as tl


@triton.jit
def scaled(x, y, width, WIDTH: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, WIDTH)
    v = tl.load(x + row * width + i, mask=i < width)  #@ globalLoadRequests=4096 globalBytesRequested=262144
    tl.store(y + row * width + i, 2 * v, mask=i < width)


def run(x):
    y = torch.empty_like(x)
    scaled[(x.shape[0],)](x, y, x.shape[1], WIDTH=triton.next_power_of_2(x.shape[1]))
    return y
