"""Cuts a multi-band scene into square chips and converts digital numbers to reflectance.

scene: [bands, height, width] int16   ->   chips: [tiles_y, tiles_x, bands, tile, tile] float32
Chips that hang over the edge are filled with the no-data value.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def chip_kernel(
    scene_ptr, gain_ptr, offset_ptr, chips_ptr,
    bands, height, width, tile, tiles_x, total, nodata,
    BLOCK: tl.constexpr,
):
    flat = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = flat < total

    # flat = (((ty * tiles_x + tx) * bands + band) * tile + py) * tile + px
    px = flat % tile
    py = (flat // tile) % tile
    band = (flat // (tile * tile)) % bands
    tx = (flat // (tile * tile * bands)) % tiles_x
    ty = flat // (tile * tile * bands * tiles_x)

    row = ty * tile + py
    col = tx * tile + px
    valid = inside & (row < height) & (col < width)

    dn = tl.load(scene_ptr + (band * height + row) * width + col, mask=valid, other=0).to(tl.float32)
    gain = tl.load(gain_ptr + band, mask=inside, other=0.0)
    offset = tl.load(offset_ptr + band, mask=inside, other=0.0)
    value = tl.where(valid, dn * gain + offset, nodata)
    tl.store(chips_ptr + flat, value, mask=inside)


def cut_chips(scene, gain, offset, tile, nodata):
    bands, height, width = scene.shape
    tiles_y, tiles_x = triton.cdiv(height, tile), triton.cdiv(width, tile)
    chips = torch.empty((tiles_y, tiles_x, bands, tile, tile), dtype=torch.float32, device=scene.device)
    total = chips.numel()
    BLOCK = 512
    chip_kernel[(triton.cdiv(total, BLOCK),)](
        scene, gain, offset, chips,
        bands, height, width, tile, tiles_x, total, nodata,
        BLOCK=BLOCK,
    )
    return chips
