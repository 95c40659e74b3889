import torch
import triton
import triton.language as tl


@triton.jit
def embedding_forward_kernel(table, indices, output, n_elements, dim: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    om = pm * BLOCK_M + tl.arange(0, BLOCK_M)
    on = pn * BLOCK_N + tl.arange(0, BLOCK_N)
    idx = tl.load(indices + om, mask=om < n_elements, other=0)
    mask = (om < n_elements)[:, None] & (on < dim)[None, :]
    rows = tl.load(table + idx[:, None] * dim + on[None, :], mask=mask, other=0.0)
    tl.store(output + om[:, None] * dim + on[None, :], rows, mask=mask)


@triton.jit
def embedding_backward_kernel(grad_output, grad_table, indices, n_elements, dim: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    om = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    on = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (om < n_elements)[:, None] & (on < dim)[None, :]
    idx = tl.load(indices + om, mask=om < n_elements, other=0)
    g = tl.load(grad_output + om[:, None] * dim + on[None, :], mask=mask, other=0.0)
    tl.atomic_add(grad_table + idx[:, None] * dim + on[None, :], g, mask=mask)


class _Embedding(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table: torch.Tensor, indices: torch.Tensor):
        flat = indices.reshape(-1)
        out = torch.empty(flat.numel(), table.shape[1], device=table.device, dtype=table.dtype)
        bm, bn = 16, min(64, triton.next_power_of_2(table.shape[1]))
        grid = (triton.cdiv(flat.numel(), bm), triton.cdiv(table.shape[1], bn))
        embedding_forward_kernel[grid](table, flat, out, flat.numel(), dim=table.shape[1], BLOCK_M=bm, BLOCK_N=bn)
        ctx.save_for_backward(flat, table)
        return out.view(*indices.shape, -1)

    @staticmethod
    def backward(ctx, grad):
        flat, table = ctx.saved_tensors
        grad = grad.contiguous().view(-1, table.shape[1])
        gt = torch.zeros_like(table)
        bm, bn = 16, min(64, triton.next_power_of_2(table.shape[1]))
        grid = (triton.cdiv(flat.numel(), bm), triton.cdiv(table.shape[1], bn))
        embedding_backward_kernel[grid](grad, gt, flat, flat.numel(), dim=table.shape[1], BLOCK_M=bm, BLOCK_N=bn)
        return gt, None


class Embedding(torch.nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(vocab, dim))

    def forward(self, ids):
        return _Embedding.apply(self.weight, ids)
