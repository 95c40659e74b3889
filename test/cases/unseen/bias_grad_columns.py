"""Gradient of a bias: the sum over the batch of what comes back."""

import torch
import triton
import triton.language as tl


@triton.jit
def _bias_grad(dy_ptr, db_ptr, M, stride_m, BLOCK_M: tl.constexpr):
    col = tl.program_id(axis=0)
    column = dy_ptr + col
    partial = tl.zeros((BLOCK_M,), dtype=tl.float32)
    m = 0
    while m < M:
        rows = m + tl.arange(0, BLOCK_M)
        partial += tl.load(column + rows * stride_m, mask=rows < M, other=0.0).to(tl.float32)
        m += BLOCK_M
    tl.store(db_ptr + col, tl.sum(partial, 0))


class BiasGrad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, dy):
        M, N = dy.shape
        db = torch.empty(N, device=dy.device, dtype=torch.float32)
        _bias_grad[(N,)](dy, db, M, dy.stride(0), BLOCK_M=256)
        return db


def bias_grad(dy):
    return BiasGrad.apply(dy)
