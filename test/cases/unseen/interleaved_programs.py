import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, y_ptr, n, num_programs, BLOCK: tl.constexpr):
    # program p takes the elements p, p + num_programs, ...
    pid = tl.program_id(0)
    idx = pid + tl.arange(0, BLOCK) * num_programs
    keep = idx < n
    tl.store(y_ptr + idx, 2.0 * tl.load(x_ptr + idx, mask=keep), mask=keep)


def scale(x):
    y = torch.empty_like(x)
    n = x.numel()
    programs = triton.cdiv(n, 512)
    scale_kernel[(programs,)](x, y, n, programs, BLOCK=512)
    return y
