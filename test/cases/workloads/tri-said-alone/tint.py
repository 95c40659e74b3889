"""Tints a picture whose values lie one behind the other."""
import triton
import triton.language as tl


# count: 512k values (a picture), which are no multiple of SPAN
@triton.jit
def _tint(picture, tinted, gain, count, SPAN: tl.constexpr):
    at = tl.program_id(0) * SPAN + tl.arange(0, SPAN)
    inside = at < count
    tl.store(tinted + at, tl.load(picture + at, mask=inside) * gain, mask=inside)
