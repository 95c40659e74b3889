#@case {"kernel": "lower_times"}
import torch
import triton
import triton.language as tl


@triton.jit
def lower_times(a_ptr, b_ptr, c_ptr, n, stride, M: tl.constexpr, K: tl.constexpr):
    pid = tl.program_id(0)
    rows = pid * M + tl.arange(0, M)
    inner = tl.arange(0, K)
    columns = tl.arange(0, M)
    a_ptrs = a_ptr + rows[:, None] * stride + inner[None, :]
    b_ptrs = b_ptr + inner[:, None] * stride + columns[None, :]
    acc = tl.zeros((M, M), tl.float32)
    for start in range(0, n, K):  #@ instructions=9000
        at = start + inner
        a = tl.load(a_ptrs, mask=(rows[:, None] < n) & (at[None, :] < n), other=0.0)
        a = tl.where(at[None, :] <= rows[:, None], a, 0.0)
        b = tl.load(b_ptrs, mask=(at[:, None] < n) & (columns[None, :] < n), other=0.0)
        acc += tl.dot(a, b)
        a_ptrs += K
        b_ptrs += K * stride
    tl.store(c_ptr + rows[:, None] * stride + columns[None, :], acc, mask=(rows[:, None] < n) & (columns[None, :] < n))


def run(a, b):
    n = a.shape[0]
    c = torch.empty_like(b)
    lower_times[(triton.cdiv(n, 32),)](a, b, c, n, a.stride(0), M=32, K=32)
    return c
