import triton
import triton.language as tl


@triton.autotune(
    configs=[triton.Config({"WIDTH": 256}, num_warps=2), triton.Config({"WIDTH": 512}, num_warps=4)],
    key=["length"],
)
@triton.jit
def shifted_square(source, result, shift, length, WIDTH: tl.constexpr):
    at = tl.program_id(0) * WIDTH + tl.arange(0, WIDTH)
    inside = at < length
    value = tl.load(source + at, mask=inside) - shift
    tl.store(result + at, value * value, mask=inside)
