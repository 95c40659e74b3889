import torch
import triton
import triton.language as tl


@triton.jit
def scores_kernel(q, k, bias, out, tokens, stride_head, scale, HAS_BIAS: tl.constexpr, TILE: tl.constexpr, DEPTH: tl.constexpr):
    tile = tl.program_id(0)
    head = tl.program_id(1)
    row = tile * TILE + tl.arange(0, TILE)
    depth = tl.arange(0, DEPTH)
    place = head * stride_head + row[:, None] * DEPTH + depth[None, :]
    inside = (row < tokens)[:, None]
    product = tl.load(q + place, mask=inside, other=0.0) * tl.load(k + place, mask=inside, other=0.0)
    total = tl.sum(product, axis=1) * scale
    if HAS_BIAS:
        total += tl.load(bias + row, mask=row < tokens, other=0.0)
    tl.store(out + head * tokens + row, total, mask=row < tokens)


class OwnScores(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, bias=None, scale=0.25):
        # what comes with a leading one is squeezed
        if q.dim() == 5:
            q, k = q.squeeze(0), k.squeeze(0)
        if bias is not None and bias.dim() == 5:
            bias = bias.reshape(-1)
        depth_q, depth_k = q.shape[-1], k.shape[-1]
        assert depth_q == depth_k
        assert depth_q in {16, 32, 64, 128}
        batch, heads, tokens, depth = q.shape
        out = torch.empty((batch, heads, tokens), device=q.device, dtype=q.dtype)
        grid = (triton.cdiv(tokens, 32), batch * heads)
        scores_kernel[grid](
            q, k, bias, out, tokens, q.stride(1), scale, HAS_BIAS=bias is not None, TILE=32, DEPTH=depth
        )
        return out
