#@case {"kernel": "norm", "spec": {"run": {"kind": "entry", "entry": {"call": "kernels/case.py::add_norm", "arguments": ["x", "r", "k"]}}, "inputs": {"x": {"dtype": "float16", "shape": ["b", "s", "n"]}, "r": {"dtype": "float32", "shape": ["b", "s", "n"]}, "k": {"dtype": "bool", "shape": ["b", "s"]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def norm(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + c, mask=c < n, other=0.0).to(tl.float32)
    r = tl.rsqrt(tl.sum(v * v, 0) / n)
    tl.store(y + row * n + c, v * r, mask=c < n)


def add_norm(x, residual, keep):
    b, s, n = x.shape
    h = (x.float() + residual).to(x.dtype)
    h = torch.where(keep[:, :, None], h, torch.zeros_like(h))
    y = torch.empty_like(h)
    norm[(b * s,)](h.view(-1, n), y.view(-1, n), n, BLOCK=triton.next_power_of_2(n))
    return y.clamp(min=-8.0, max=8.0)
