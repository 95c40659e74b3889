#@case {"kernel": "gate_kernel", "spec": {"outputs": {"out_ptr": {"dtype": "float32", "shape": ["n"]}}, "inputs": {"h": {"dtype": "bfloat16", "shape": ["n"]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def gate_kernel(h_ptr, bias_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    row_ptr = h_ptr + row * columns
    h = tl.load(row_ptr + at, mask=at < columns, other=0.0)  #@ globalLoadSectors=4096
    b = tl.load(bias_ptr + at, mask=at < columns, other=0.0)
    z = h + b
    tl.store(out_ptr + row * columns + at, z / (1 + tl.exp(-z)), mask=at < columns)


class Gate:
    def __init__(self, bias):
        self.bias = bias

    def __call__(self, h):
        wide = h.reshape(-1, h.shape[-1]).to(torch.float32).contiguous()
        out = torch.empty_like(wide)
        rows, columns = wide.shape
        gate_kernel[(rows,)](wide, self.bias, out, columns, BLOCK=triton.next_power_of_2(columns))
        return out.to(h.dtype).view(h.shape)
