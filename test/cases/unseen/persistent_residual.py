import torch
import triton
import triton.language as tl

# sixteen workers walk over all blocks of the flattened tensors
NUM_WORKERS = 16


@triton.jit
def residual_kernel(x_ptr, r_ptr, out_ptr, alpha, numel, num_workers, BLOCK: tl.constexpr):
    worker = tl.program_id(axis=0)
    num_blocks = tl.cdiv(numel, BLOCK)
    for block in range(worker, num_blocks, num_workers):
        offs = block * BLOCK + tl.arange(0, BLOCK)
        mask = offs < numel
        x = tl.load(x_ptr + offs, mask=mask)
        r = tl.load(r_ptr + offs, mask=mask)
        tl.store(out_ptr + offs, r + alpha * x, mask=mask)


def scaled_residual(x: torch.Tensor, r: torch.Tensor):
    out = torch.empty_like(x)
    residual_kernel[(NUM_WORKERS,)](x, r, out, 0.5, x.numel(), NUM_WORKERS, BLOCK=512)
    return out
