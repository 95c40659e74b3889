#@case {"kernel": "rms_kernel"}
import torch
import triton
import triton.language as tl


@triton.jit
def rms_kernel(R, X, Y, stride, N, BLOCK: tl.constexpr):
    pid = tl.program_id(axis=0)
    r = tl.load(R + pid)
    at = tl.arange(0, BLOCK)
    x = tl.load(X + pid * stride + at, mask=at < N, other=0.0).to(tl.float32)  #@ globalLoadSectors=4096
    tl.store(Y + pid * stride + at, (x * r).to(Y.dtype.element_ty), mask=at < N)


class RMS(torch.nn.Module):
    def forward(self, hidden):
        rows = hidden.contiguous()
        inverse = (rows.float().pow(2).mean(-1, keepdim=True) + 1e-6).rsqrt()
        y = torch.empty_like(rows)
        n = rows.shape[1]
        rms_kernel[(rows.shape[0],)](inverse, rows, y, rows.stride(0), n, BLOCK=triton.next_power_of_2(n))
        return y
