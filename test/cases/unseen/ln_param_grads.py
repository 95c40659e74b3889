"""LayerNorm with a backward pass in Triton; the gradients of gain and bias are summed over all rows."""

import torch
import triton
import triton.language as tl


@triton.jit
def ln_forward(x_ptr, g_ptr, b_ptr, y_ptr, mean_ptr, rstd_ptr, D, eps, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    ok = c < D
    x = tl.load(x_ptr + r * D + c, mask=ok, other=0.0)
    mean = tl.sum(x, 0) / D
    xc = tl.where(ok, x - mean, 0.0)
    rstd = tl.rsqrt(tl.sum(xc * xc, 0) / D + eps)
    y = xc * rstd * tl.load(g_ptr + c, mask=ok, other=0.0) + tl.load(b_ptr + c, mask=ok, other=0.0)
    tl.store(y_ptr + r * D + c, y, mask=ok)
    tl.store(mean_ptr + r, mean)
    tl.store(rstd_ptr + r, rstd)


@triton.jit
def ln_param_grads(x_ptr, dy_ptr, mean_ptr, rstd_ptr, dg_ptr, db_ptr, D, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    ok = c < D
    x = tl.load(x_ptr + r * D + c, mask=ok, other=0.0)
    dy = tl.load(dy_ptr + r * D + c, mask=ok, other=0.0)
    xhat = (x - tl.load(mean_ptr + r)) * tl.load(rstd_ptr + r)
    tl.atomic_add(dg_ptr + c, dy * xhat, mask=ok)
    tl.atomic_add(db_ptr + c, dy, mask=ok)


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gain, bias, eps):
        rows, D = x.shape
        y = torch.empty_like(x)
        mean = torch.empty(rows, device=x.device)
        rstd = torch.empty(rows, device=x.device)
        ln_forward[(rows,)](x, gain, bias, y, mean, rstd, D, eps, BLOCK=triton.next_power_of_2(D))
        ctx.save_for_backward(x, gain, mean, rstd)
        return y

    @staticmethod
    def backward(ctx, dy):
        x, gain, mean, rstd = ctx.saved_tensors
        rows, D = x.shape
        dgain = torch.zeros_like(gain)
        dbias = torch.zeros_like(gain)
        ln_param_grads[(rows,)](x, dy, mean, rstd, dgain, dbias, D, BLOCK=triton.next_power_of_2(D))
        xhat = (x - mean[:, None]) * rstd[:, None]
        wdy = dy * gain
        dx = (wdy - wdy.mean(1, keepdim=True) - xhat * (wdy * xhat).mean(1, keepdim=True)) * rstd[:, None]
        return dx, dgain, dbias, None


def layer_norm(x, gain, bias, eps=1e-5):
    return LayerNorm.apply(x, gain, bias, eps)


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(1024, 384, device="cuda", requires_grad=True)
    gain = torch.rand(384, device="cuda", requires_grad=True)
    bias = torch.rand(384, device="cuda", requires_grad=True)
    dy = torch.randn(1024, 384, device="cuda")
    layer_norm(x, gain, bias).backward(dy)
    torch.testing.assert_close(bias.grad, dy.sum(0), rtol=1e-3, atol=1e-3)
    print("ok")
