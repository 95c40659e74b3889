#@case {"kernel": "near_rows"}
import torch
import triton
import triton.language as tl


@triton.jit
def near_rows(q, k, o, q_b, q_h, q_n, k_b, k_h, k_n, rows, columns, o_row, o_column, WIDTH: tl.constexpr):
    b, h, n = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    c = tl.arange(0, WIDTH)
    left = tl.load(q + b * q_b + h * q_h + n * q_n + c)
    right = tl.load(k + b * k_b + h * k_h + n * k_n + c)
    tl.store(o + (b * rows + n) * o_row + h * o_column, tl.sum(left * right, 0) / columns)


def near(q, k):
    batch, heads, length, width = q.shape
    o = torch.empty(batch, length, heads, device=q.device)
    near_rows[(batch, heads, length)](
        q, k, o, *q.stride()[:3], *k.stride()[0:3], *q.shape[-2:], *o.stride()[1:3], WIDTH=width
    )
    return o
