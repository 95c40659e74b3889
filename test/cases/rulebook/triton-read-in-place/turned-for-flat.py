#@case {"kernel": "square_rows"}
import torch
import triton
import triton.language as tl


@triton.jit
def square_rows(x_ptr, y_ptr, stride, columns, BLOCK: tl.constexpr = 1024):
    row = tl.program_id(0)
    x_ptr += row * stride
    row_ptr = y_ptr + row * columns
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < columns)  #@ globalLoadSectors=4096
    tl.store(row_ptr + at, x * x, mask=at < columns)


def squares(x):
    batch, rows, columns = x.shape
    turned = torch.transpose(x, 1, 2).contiguous()
    y = torch.empty_like(turned)
    square_rows[(batch * columns,)](turned, y, turned.stride(-2), rows, BLOCK=triton.next_power_of_2(rows))
    return y
