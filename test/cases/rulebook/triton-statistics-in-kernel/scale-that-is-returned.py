#@case {"kernel": "quantize_rows"}
import torch
import triton
import triton.language as tl


@triton.jit
def quantize_rows(x_ptr, scale_ptr, q_ptr, K, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    s = tl.load(scale_ptr + r)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r * K + c, mask=c < K, other=0.0).to(tl.float32)  #@ globalLoadSectors=4096
    tl.store(q_ptr + r * K + c, tl.floor(x / s + 0.5).to(tl.int8), mask=c < K)


def per_token_quant(x: torch.Tensor):
    scale = x.abs().amax(dim=-1, keepdim=True).float().clamp(min=1e-8) / 127.0
    q = torch.empty(x.shape, dtype=torch.int8, device=x.device)
    quantize_rows[(x.shape[0],)](x, scale, q, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
    return q, scale
