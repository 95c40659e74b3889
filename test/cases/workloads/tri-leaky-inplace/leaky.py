import triton
import triton.language as tl


@triton.jit
def leaky_relu_(data, slope, numel, CHUNK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * CHUNK
    for k in range(0, CHUNK, 128):
        at = first + k + tl.arange(0, 128)
        x = tl.load(data + at, at < numel)
        tl.store(data + at, tl.where(x < 0, x * slope, x), at < numel)
