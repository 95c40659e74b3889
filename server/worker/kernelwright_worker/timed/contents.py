"""Contents that are made on the GPU: elements of a pool that a seed draws. `oracle/pools.py` draws the same of the
same seed, and so does `runtime/entry/contents.hpp`.
"""

from __future__ import annotations

#: Bytes of an element.
WIDTHS = (1, 2, 4, 8)
#: Threads of a block, and the most blocks.
THREADS, MOST_BLOCKS = 256, 1 << 14

_HEAD = """.version 6.3
.target sm_50
.address_size 64
"""

#: Each thread draws elements, as many as all threads are apart from each other. `last`: the number of the
#: pool's last element; `low`, `high`: the seed; `mask`: which of an element's lowest bits it clears.
_KERNEL = """
.visible .entry draw_WIDTH(
  .param .u64 to, .param .u64 count, .param .u64 pool, .param .u32 last, .param .u32 low, .param .u32 high,
  .param .u32 mask)
{
  .reg .pred %stop;
  .reg .b32 %thread, %block, %threads, %blocks, %last, %low, %high, %mask, %drawn, %part;
  .reg .b64 %each, %count, %step, %to, %pool, %address, %wide;
  .reg .bBITS %element, %fresh;

  ld.param.u64 %to, [to];
  ld.param.u64 %count, [count];
  ld.param.u64 %pool, [pool];
  ld.param.u32 %last, [last];
  ld.param.u32 %low, [low];
  ld.param.u32 %high, [high];
  ld.param.u32 %mask, [mask];
  cvta.to.global.u64 %to, %to;
  cvta.to.global.u64 %pool, %pool;
  mov.u32 %thread, %tid.x;
  mov.u32 %block, %ctaid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %blocks, %nctaid.x;
  mul.wide.u32 %each, %block, %threads;
  cvt.u64.u32 %wide, %thread;
  add.u64 %each, %each, %wide;
  mul.wide.u32 %step, %blocks, %threads;

next:
  setp.ge.u64 %stop, %each, %count;
  @%stop bra done;
  cvt.u32.u64 %drawn, %each;
  add.u32 %drawn, %drawn, %low;
MIXED
  xor.b32 %drawn, %drawn, %high;
MIXED
  and.b32 %part, %drawn, %last;
  mul.wide.u32 %address, %part, WIDTH;
  add.u64 %address, %pool, %address;
  ld.global.LOADED %element, [%address];
  shr.u32 %part, %drawn, 16;
  and.b32 %part, %part, %mask;
  cvt.FRESH.u32 %fresh, %part;
  not.bBITS %fresh, %fresh;
  and.bBITS %element, %element, %fresh;
  mul.lo.u64 %address, %each, WIDTH;
  add.u64 %address, %to, %address;
  st.global.LOADED [%address], %element;
  add.u64 %each, %each, %step;
  bra next;
done:
  ret;
}
"""

_MIXED = """  shr.u32 %part, %drawn, 16;
  xor.b32 %drawn, %drawn, %part;
  mul.lo.u32 %drawn, %drawn, 0x21f0aaad;
  shr.u32 %part, %drawn, 15;
  xor.b32 %drawn, %drawn, %part;
  mul.lo.u32 %drawn, %drawn, 0x735a2d97;
  shr.u32 %part, %drawn, 15;
  xor.b32 %drawn, %drawn, %part;"""


def kernels() -> str:
    """PTX of `draw_1`, `draw_2`, `draw_4` and `draw_8`, for any GPU that drivers still know."""
    return _HEAD + "".join(_kernel(width) for width in WIDTHS)


def _kernel(width: int) -> str:
    # Registers have 16 bits or more.
    bits = max(16, 8 * width)
    words = {
        "MIXED": _MIXED,
        "WIDTH": width,
        "BITS": bits,
        "LOADED": "b%d" % (8 * width),
        "FRESH": "u%d" % bits,
    }
    text = _KERNEL
    for name, word in words.items():
        text = text.replace(name, str(word))
    return text


def halves(seed: int) -> tuple[int, int]:
    """The lower and the upper 32 bits of a seed."""
    return seed & 0xFFFFFFFF, seed >> 32


def blocks_for(count: int) -> int:
    """Blocks of THREADS that draw so many elements."""
    return min(MOST_BLOCKS, -(-count // THREADS))


def units(pattern: int, size: int) -> tuple[int, int] | None:
    """How a pattern of 8 bytes fills memory of a size by words that are all the same: the bytes of a word and its
    value. None where there is no such word of 1, 2 or 4 bytes.
    """
    content = pattern.to_bytes(8, "little")
    for width in (1, 2, 4):
        if content == content[:width] * (8 // width) and size % width == 0:
            return width, int.from_bytes(content[:width], "little")
    return None
