import torch
import triton
import triton.language as tl


@triton.jit
def rms_fwd(X, W, Y, stride, N, EPS: tl.constexpr, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    X += row * stride
    Y += row * stride
    acc = tl.zeros([TILE], dtype=tl.float32)
    for off in tl.range(0, N, TILE):
        cols = off + tl.arange(0, TILE)
        v = tl.load(X + cols, mask=cols < N, other=0.0).to(tl.float32)
        acc += v * v
    scale = tl.rsqrt(tl.sum(acc) / N + EPS)
    for off in tl.range(0, N, TILE):
        cols = off + tl.arange(0, TILE)
        keep = cols < N
        v = tl.load(X + cols, mask=keep, other=0.0).to(tl.float32)
        w = tl.load(W + cols, mask=keep, other=0.0).to(tl.float32)
        tl.store(Y + cols, (v * scale * w).to(Y.dtype.element_ty), mask=keep)


class RMSNorm(torch.nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(dim))
        self.eps = eps

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        y = torch.empty_like(flat)
        rows, n = flat.shape
        rms_fwd[(rows,)](flat, self.weight, y, flat.stride(0), n, EPS=self.eps, TILE=128, num_warps=4)
        return y.view_as(x)


def run(x, w):
    layer = RMSNorm(x.shape[-1])
    layer.weight = torch.nn.Parameter(w)
    return layer(x)
