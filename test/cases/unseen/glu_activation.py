import torch
import triton
import triton.language as tl


@triton.jit
def _silu(x):
    return x * tl.sigmoid(x)


@triton.jit
def silu_mul_kernel(gate_up_ptr, out_ptr, n_elements, intermediate, BLOCK_SIZE: tl.constexpr):
    pid = tl.program_id(axis=0)
    offsets = pid * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offsets < n_elements
    row = offsets // intermediate
    col = offsets % intermediate
    gate = tl.load(gate_up_ptr + row * 2 * intermediate + col, mask=mask).to(tl.float32)
    up = tl.load(gate_up_ptr + row * 2 * intermediate + intermediate + col, mask=mask).to(tl.float32)
    tl.store(out_ptr + offsets, (_silu(gate) * up).to(out_ptr.dtype.element_ty), mask=mask)


def silu_and_mul(gate_up: torch.Tensor) -> torch.Tensor:
    """(tokens, 2 * intermediate) -> (tokens, intermediate)"""
    assert gate_up.is_contiguous()
    tokens, twice = gate_up.shape
    out = torch.empty((tokens, twice // 2), dtype=gate_up.dtype, device=gate_up.device)
    n = out.numel()
    silu_mul_kernel[(triton.cdiv(n, 64),)](gate_up, out, n, twice // 2, BLOCK_SIZE=64, num_warps=8)
    return out


def test_silu_and_mul():
    x = torch.randn(200, 2816, device="cuda", dtype=torch.bfloat16)
    gate, up = x.float().chunk(2, dim=-1)
    want = (torch.nn.functional.silu(gate) * up).to(torch.bfloat16)
    torch.testing.assert_close(silu_and_mul(x), want, rtol=2e-2, atol=2e-2)
