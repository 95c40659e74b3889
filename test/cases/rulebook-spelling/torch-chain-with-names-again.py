#@case {"kernel": "rms_kernel", "spec": {"run": {"kind": "entry", "entry": {"call": "kernels/case.py::block", "arguments": ["x", "r", "b", "w", "g"]}}, "inputs": {"x": {"dtype": "float16", "shape": ["m", "n"]}, "r": {"dtype": "float16", "shape": ["m", "n"]}, "b": {"dtype": "float16", "shape": ["n"]}, "w": {"dtype": "float16", "shape": ["n"]}, "g": {"dtype": "float16", "shape": ["m", 1]}}}}
import torch
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def rms_kernel(X, W, Y, stride, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    X += row * stride
    Y += row * stride
    cols = tl.arange(0, BLOCK)
    x = tl.load(X + cols, mask=cols < N, other=0.0).to(tl.float32)
    r = tl.rsqrt(tl.sum(x * x, axis=0) / N + eps)
    w = tl.load(W + cols, mask=cols < N)
    tl.store(Y + cols, (x * r * w).to(Y.dtype.element_ty), mask=cols < N)


def block(x, residual, bias, weight, gate, eps=1e-6):
    h = x + bias
    h = F.gelu(h)
    h = h + residual
    M, N = h.shape
    y = torch.empty_like(h)
    rms_kernel[(M,)](h, weight, y, h.stride(0), N, eps, BLOCK=triton.next_power_of_2(N))
    return y * torch.sigmoid(gate)
