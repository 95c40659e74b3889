# task: triton-p11-gain-gradient
# does: adds up parts of 32 rows, by a tile that the tuner chooses, and a second kernel adds the parts in their order
import torch
import triton
import triton.language as tl


@triton.autotune(
    configs=[triton.Config({"BLOCK": 32}, num_warps=2), triton.Config({"BLOCK": 64}, num_warps=4)],
    key=["rows", "width"],
)
@triton.jit
def gradient_kernel(dy, x, parts, rows, width, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row = tl.program_id(1) * ROWS + tl.arange(0, ROWS)
    inside = (row[:, None] < rows) & (at[None, :] < width)
    place = row[:, None] * width + at[None, :]
    product = tl.load(dy + place, mask=inside, other=0.0) * tl.load(x + place, mask=inside, other=0.0)
    tl.store(parts + tl.program_id(1) * width + at, tl.sum(product, axis=0), mask=at < width)


@triton.jit
def add_kernel(parts, g, count, width, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < width
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for part in range(count):
        total += tl.load(parts + part * width + at, mask=inside, other=0.0)
    tl.store(g + at, total, mask=inside)


def gradient(dy, x):
    rows, width = x.shape
    count = max(1, triton.cdiv(rows, 32))
    parts = torch.empty((count, width), dtype=torch.float32, device=x.device)
    g = torch.empty((width,), dtype=x.dtype, device=x.device)
    gradient_kernel[lambda meta: (triton.cdiv(width, meta["BLOCK"]), count)](dy, x, parts, rows, width, ROWS=32)
    add_kernel[(triton.cdiv(width, 64),)](parts, g, count, width, BLOCK=64, num_warps=2)
    return g
