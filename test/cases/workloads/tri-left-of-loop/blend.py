import triton
import triton.language as tl


# mixed = weights @ (layers * gains[:, None]), tile by tile; `left` is what the loop has not seen yet.
@triton.jit
def _blend(
    weights,
    layers,
    gains,
    mixed_ptr,
    squared_ptr,
    H,
    W,
    L,
    stride_wh,
    stride_wl,
    stride_ll,
    stride_lw,
    stride_mh,
    stride_mw,
    stride_sh,
    stride_sw,
    TILE_H: tl.constexpr,
    TILE_W: tl.constexpr,
    TILE_L: tl.constexpr,
):
    high = tl.program_id(0) * TILE_H + tl.arange(0, TILE_H)
    wide = tl.program_id(1) * TILE_W + tl.arange(0, TILE_W)
    deep = tl.arange(0, TILE_L)
    weight_at = weights + high[:, None] * stride_wh + deep[None, :] * stride_wl
    layer_at = layers + deep[:, None] * stride_ll + wide[None, :] * stride_lw
    gain_at = gains + deep[:, None]
    total = tl.zeros((TILE_H, TILE_W), dtype=tl.float32)
    left = L
    for _ in range(0, tl.cdiv(L, TILE_L)):
        weight = tl.load(weight_at, mask=(deep[None, :] < left) & (high < H)[:, None], other=0.0)
        layer = tl.load(layer_at, mask=(deep[:, None] < left) & (wide < W)[None, :], other=0.0)
        gain = tl.load(gain_at, mask=deep[:, None] < left, other=0.0)
        total += tl.dot(weight, layer * gain)
        weight_at += TILE_L * stride_wl
        layer_at += TILE_L * stride_ll
        gain_at += TILE_L
        left -= TILE_L
    inside = (high < H)[:, None] & (wide < W)[None, :]
    target = mixed_ptr + high[:, None] * stride_mh + wide[None, :] * stride_mw
    tl.store(target, total, mask=inside)
    target = squared_ptr + high[:, None] * stride_sh + wide[None, :] * stride_sw
    tl.store(target, total * total, mask=inside)
