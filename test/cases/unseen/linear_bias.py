import torch
import triton
import triton.language as tl


@triton.jit
def linear_kernel(x_ptr, w_ptr, bias_ptr, y_ptr, rows, outs, ins,
                  TILE_R: tl.constexpr, TILE_O: tl.constexpr, TILE_I: tl.constexpr):
    r = tl.program_id(0) * TILE_R + tl.arange(0, TILE_R)
    o = tl.program_id(1) * TILE_O + tl.arange(0, TILE_O)
    i = tl.arange(0, TILE_I)
    x_tile = x_ptr + r[:, None] * ins + i[None, :]
    w_tile = w_ptr + o[None, :] * ins + i[:, None]
    acc = tl.zeros((TILE_R, TILE_O), dtype=tl.float32)
    for left in range(ins, 0, -TILE_I):
        x = tl.load(x_tile, mask=(r[:, None] < rows) & (i[None, :] < left), other=0.0)
        w = tl.load(w_tile, mask=(o[None, :] < outs) & (i[:, None] < left), other=0.0)
        acc += tl.dot(x, w)
        x_tile += TILE_I
        w_tile += TILE_I
    acc += tl.load(bias_ptr + o, mask=o < outs, other=0.0)[None, :]
    tl.store(y_ptr + r[:, None] * outs + o[None, :], acc.to(tl.float16), mask=(r[:, None] < rows) & (o[None, :] < outs))


def linear(x, weight, bias):
    rows, ins = x.shape
    outs = weight.shape[0]
    y = x.new_empty(rows, outs)
    tiles = dict(TILE_R=16, TILE_O=16, TILE_I=16)
    linear_kernel[(triton.cdiv(rows, tiles["TILE_R"]), triton.cdiv(outs, tiles["TILE_O"]))](
        x, weight, bias, y, rows, outs, ins, **tiles
    )
    return y
