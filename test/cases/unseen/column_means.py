import torch
import triton
import triton.language as tl


@triton.jit
def column_mean(src_ptr, dst_ptr, rows, cols, BLOCK_R: tl.constexpr):
    col = tl.program_id(0)
    total = 0.0
    for start in range(0, rows, BLOCK_R):
        r = start + tl.arange(0, BLOCK_R)
        v = tl.load(src_ptr + r * cols + col, mask=r < rows, other=0.0)
        total += tl.sum(v, axis=0)
    tl.store(dst_ptr + col, total / rows)


def column_means(x: torch.Tensor) -> torch.Tensor:
    rows, cols = x.shape
    out = torch.empty((cols,), dtype=x.dtype, device=x.device)
    column_mean[(cols,)](x, out, rows, cols, BLOCK_R=256)
    return out
