import torch
import triton
import triton.language as tl


@triton.jit
def colsum_kernel(x_ptr, out_ptr, rows, cols, BLOCK_R: tl.constexpr):
    c = tl.program_id(0)
    acc = tl.zeros((BLOCK_R,), dtype=tl.float32)
    for r0 in range(0, rows, BLOCK_R):
        r = r0 + tl.arange(0, BLOCK_R)
        acc += tl.load(x_ptr + r * cols + c, mask=r < rows, other=0.0)
    tl.store(out_ptr + c, tl.sum(acc, axis=0))


def colsum(x):
    rows, cols = x.shape
    out = torch.empty(cols, dtype=x.dtype, device=x.device)
    colsum_kernel[(cols,)](x, out, rows, cols, BLOCK_R=128)
    return out
