#@case {"kernel": "apply_norm"}
import torch
import triton
import triton.language as tl


@triton.jit
def apply_norm(x_ptr, mean_ptr, rstd_ptr, w_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    x = tl.load(x_ptr + row * n_cols + cols, mask=mask, other=0.0)  #@ globalLoadSectors=4096
    mean = tl.load(mean_ptr + row)
    rstd = tl.load(rstd_ptr + row)
    w = tl.load(w_ptr + cols, mask=mask)
    tl.store(y_ptr + row * n_cols + cols, (x - mean) * rstd * w, mask=mask)


def layer_norm(x, weight, eps=1e-5):
    rows, cols = x.shape
    mean = x.mean(dim=1)
    var = x.var(dim=1, unbiased=False)
    rstd = torch.rsqrt(var + eps)
    y = torch.empty_like(x)
    apply_norm[(rows,)](x, mean, rstd, weight, y, cols, BLOCK=triton.next_power_of_2(cols))
    return y
