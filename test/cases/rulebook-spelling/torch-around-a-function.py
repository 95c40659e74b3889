#@case {"kernel": "_tanh_gate", "spec": {"run": {"kind": "entry", "entry": {"call": "kernels/case.py::forward", "arguments": ["h", "shift", "skip"]}}, "inputs": {"h": {"dtype": "float32", "shape": ["rows", "width"]}, "shift": {"dtype": "float32", "shape": ["width"]}, "skip": {"dtype": "float32", "shape": ["rows", "width"]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def _tanh_gate(src, dst, total, SPAN: tl.constexpr):
    at = tl.program_id(0) * SPAN + tl.arange(0, SPAN)
    inside = at < total
    v = tl.load(src + at, mask=inside, other=0.0)
    tl.store(dst + at, v * (2.0 * tl.sigmoid(2.0 * v) - 1.0), mask=inside)


def tanh_gate(src):
    """x * tanh(x), by elements."""
    dst = torch.empty_like(src)
    total = src.numel()
    _tanh_gate[(triton.cdiv(total, 512),)](src, dst, total, SPAN=512)
    return dst


def forward(h, shift, skip):
    z = h + shift
    z = tanh_gate(z)
    scaled = z * 0.5
    return skip + scaled
