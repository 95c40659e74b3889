#@case {"kernel": "rms"}
import triton
import triton.language as tl


@triton.jit
def rms(X, W, Y, stride, N, TILE: tl.constexpr):
    X += tl.program_id(0) * stride
    Y += tl.program_id(0) * stride
    acc = tl.zeros([TILE], dtype=tl.float32)
    for off in tl.range(0, N, TILE, num_stages=2):
        cols = off + tl.arange(0, TILE)
        v = tl.load(X + cols, mask=cols < N, other=0.0)  #@ globalLoadSectors=4096
        acc += v * v
    scale = tl.rsqrt(tl.sum(acc) / N)
    for off in tl.range(0, N, TILE):
        cols = off + tl.arange(0, TILE)
        keep = cols < N
        v = tl.load(X + cols, mask=keep, other=0.0)  #@ globalLoadSectors=4096
        w = tl.load(W + cols, mask=keep, other=0.0)  #@ globalLoadSectors=4096
        tl.store(Y + cols, v * scale * w, mask=keep)


def run(x, w, y):
    rows, n = x.shape
    rms[(rows,)](x, w, y, x.stride(0), n, TILE=128)
