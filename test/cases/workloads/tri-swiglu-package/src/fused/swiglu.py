import torch
import triton
import triton.language as tl

from fused._common import calculate_settings, contiguous


@triton.jit
def silu(x):
    return x * tl.sigmoid(x)


@triton.jit
def _swiglu_forward_kernel(a_ptr, b_ptr, c_ptr, stride, n_cols: tl.constexpr, BLOCK_SIZE: tl.constexpr):
    program_id = tl.program_id(0).to(tl.int64)
    a_ptr += program_id * stride
    b_ptr += program_id * stride
    c_ptr += program_id * stride
    col_offsets = tl.arange(0, BLOCK_SIZE)
    mask = col_offsets < n_cols
    a = tl.load(a_ptr + col_offsets, mask=mask, other=0).to(tl.float32)
    b = tl.load(b_ptr + col_offsets, mask=mask, other=0)
    tl.store(c_ptr + col_offsets, silu(a).cast(b.dtype) * b, mask=mask)


@contiguous
def swiglu(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    shape = a.shape
    n_cols = shape[-1]
    a = a.view(-1, n_cols)
    b = b.view(-1, n_cols)
    c = torch.empty_like(a)
    block, warps = calculate_settings(n_cols)
    _swiglu_forward_kernel[(a.shape[0],)](a, b, c, c.stride(-2), n_cols=n_cols, BLOCK_SIZE=block, num_warps=warps)
    return c.view(*shape)
