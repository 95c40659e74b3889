#@case {"kernel": "dequantize_blocks"}
import torch
import triton
import triton.language as tl


@triton.jit
def dequantize_blocks(codes, scales, out, n, BLOCK: tl.constexpr):
    block = tl.program_id(0)
    scale = tl.load(scales + block)
    at = block * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    code = tl.load(codes + at, mask=inside, other=0)  #@ globalLoadRequests=4096 globalBytesRequested=131072
    tl.store(out + at, code * scale, mask=inside)  #@ globalStoreRequests=2048 globalBytesRequested=262144


def dequantize(codes, scales):
    out = torch.empty(codes.shape, device=codes.device, dtype=torch.float32)
    n = codes.numel()
    dequantize_blocks[(triton.cdiv(n, 32),)](codes, scales, out, n, BLOCK=32)
    return out
