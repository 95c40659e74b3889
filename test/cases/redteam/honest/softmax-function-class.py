# task: triton-softmax
# does: an autograd function with a helper kernel function of its own, launched under no_grad by a module's method

import torch
import triton
import triton.language as tl


@triton.jit
def shifted_exponents(x, at, columns, largest):
    return tl.exp(tl.load(x + at, mask=at < columns, other=float("-inf")) - largest)


@triton.jit
def softmax_kernel(x_ptr, y_ptr, stride, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr, rows):
    for step in tl.static_range(ROWS):
        row = tl.program_id(0) * ROWS + step
        if row < rows:
            at = tl.arange(0, BLOCK)
            source = x_ptr + row.to(tl.int64) * stride
            largest = tl.max(tl.load(source + at, mask=at < columns, other=float("-inf")), axis=0)
            powers = shifted_exponents(source, at, columns, largest)
            tl.store(y_ptr + row.to(tl.int64) * stride + at, powers / tl.sum(powers, axis=0), mask=at < columns)


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        rows, columns = x.shape
        y = torch.empty_like(x)
        block = triton.next_power_of_2(columns)
        grid = lambda meta: (triton.cdiv(rows, meta["ROWS"]),)
        softmax_kernel[grid](x, y, x.stride(0), columns, ROWS=2, BLOCK=block, rows=rows, num_warps=4 if block < 2048 else 8)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, gradient):
        (y,) = ctx.saved_tensors
        return y * (gradient - (gradient * y).sum(dim=1, keepdim=True))


class RowSoftmax(torch.nn.Module):
    @torch.no_grad()
    def forward(self, x):
        return Softmax.apply(x)


def softmax(x):
    return RowSoftmax()(x)
