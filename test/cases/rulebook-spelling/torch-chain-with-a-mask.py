#@case {"kernel": "softmax_rows", "spec": {"run": {"kind": "entry", "entry": {"call": "kernels/case.py::masked_softmax", "arguments": ["s", "m", {"value": 0.5, "dtype": "float32"}]}}, "inputs": {"s": {"dtype": "float32", "shape": ["b", "h", "n", "n"]}, "m": {"dtype": "bool", "shape": ["b", 1, 1, "n"]}}}}
import torch
import triton
import triton.language as tl

@triton.jit
def softmax_rows(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + cols, mask=cols < n, other=-float("inf"))
    x = x - tl.max(x, axis=0)
    e = tl.exp(x)
    tl.store(y_ptr + row * n + cols, e / tl.sum(e, axis=0), mask=cols < n)


def masked_softmax(scores: torch.Tensor, mask: torch.Tensor, scale: float) -> torch.Tensor:
    """scores: (B, H, S, S) float32; mask: (B, H, S, S) bool, True = keep."""
    s = scores * scale
    s = s.masked_fill(~mask, -1e9)
    s = s.contiguous()
    out = torch.empty_like(s)
    n = s.shape[-1]
    softmax_rows[(s.numel() // n,)](s, out, n, BLOCK=triton.next_power_of_2(n))
    return out
