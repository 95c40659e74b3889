#@case {"kernel": "quantize_rows"}
import torch
import triton
import triton.language as tl


@triton.jit
def quantize_rows(x_ptr, scale_ptr, q_ptr, stride_x, stride_q, K, BLOCK_K: tl.constexpr):
    r = tl.program_id(0)
    s = tl.load(scale_ptr + r)
    inv = 1.0 / s
    for k in range(0, K, BLOCK_K):
        c = k + tl.arange(0, BLOCK_K)
        x = tl.load(x_ptr + r * stride_x + c, mask=c < K, other=0.0).to(tl.float32)  #@ globalLoadSectors=4096
        q = tl.minimum(tl.maximum(tl.floor(x * inv + 0.5), -127.0), 127.0)
        tl.store(q_ptr + r * stride_q + c, q.to(tl.int8), mask=c < K)


def per_token_quant(x: torch.Tensor):
    amax = x.abs().amax(dim=-1).float()
    scale = amax.clamp(min=1e-8) / 127.0
    q = torch.empty(x.shape, dtype=torch.int8, device=x.device)
    quantize_rows[(x.shape[0],)](x, scale, q, x.stride(0), q.stride(0), x.shape[1], BLOCK_K=1024)
    return q
