import torch
import triton
import triton.language as tl


@triton.jit
def argmax_kernel_1(inp, mid_value, mid_index, M, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offset = pid * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(inp + offset, mask=offset < M, other=-float("inf"))
    v, i = tl.max(x, axis=0, return_indices=True)
    tl.store(mid_value + pid, v)
    tl.store(mid_index + pid, i + pid * BLOCK)


@triton.jit
def argmax_kernel_2(mid_value, mid_index, out, mid_size, BLOCK_MID: tl.constexpr):
    offset = tl.arange(0, BLOCK_MID)
    v = tl.load(mid_value + offset, mask=offset < mid_size, other=-float("inf"))
    tl.store(out, tl.load(mid_index + tl.argmax(v, axis=0)))


def argmax(inp: torch.Tensor) -> torch.Tensor:
    M = inp.numel()
    block = 256
    mid_size = triton.cdiv(M, block)
    mid_value = torch.empty((mid_size,), dtype=inp.dtype, device=inp.device)
    mid_index = torch.empty((mid_size,), dtype=torch.int64, device=inp.device)
    out = torch.empty([], dtype=torch.int64, device=inp.device)
    argmax_kernel_1[(mid_size, 1, 1)](inp, mid_value, mid_index, M, block)
    argmax_kernel_2[(1, 1, 1)](mid_value, mid_index, out, mid_size, triton.next_power_of_2(mid_size))
    return out
