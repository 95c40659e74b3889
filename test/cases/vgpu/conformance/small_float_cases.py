"""Conversions to and from eight bits, packing of integers, and the finite limits of conversions (PTX ISA sections 9.7.9.22 and 9.7.9.23)."""

from formats import BF16, F16, F32, TF32, Format, Number, decode, encode, exact, zero
from cases import Suite, signed
from values import floats, integers

E5M2 = Format("e5m2", 8, 5, 2, 0x7F)
# As a format of IEEE 754 its largest exponent would hold infinity and NaN; here it holds numbers up to 448, and one NaN.
E4M3 = Format("e4m3", 8, 4, 3, 0x7F)
MOST = {"e4m3": 0x7E, "e5m2": 0x7B}


def value_of(byte, format):
    """The number of eight bits."""
    if format is E5M2:
        return decode(byte, format)
    magnitude = byte & 0x7F
    if magnitude == 0x7F:
        return Number("nan")
    field, fraction = magnitude >> 3, magnitude & 7
    value = exact(fraction if field == 0 else 8 + fraction).value * 2 ** max(field, 1) / 2 ** 10
    return Number("finite", byte >> 7 == 1, -value if byte >> 7 else value)


def to_small(number, format, relu):
    if number.nan:
        return 0x7F
    if relu and number.negative:
        number = zero(False)
    sign = 0x80 if number.negative else 0
    most = MOST[format.name]
    if number.infinite:
        return sign | most
    # The nearest of all finite numbers, the even one of two: what is beyond the largest becomes that.
    target = abs(number.value)
    bits = min(range(most + 1), key=lambda byte: (abs(value_of(byte, format).value - target), byte & 1))
    return sign | bits


def eight_bits(suite):
    singles = floats(F32, "eight", 96) + [encode(exact(value), F32) for value in (448, 464, 465, 480, 57344, 61440, 61441, 0.0009765625, 0.0029296875, -0.001953125, 0.017578125, 17, 19)]
    others = singles[1:] + singles[:1]
    halves = [low | high << 16 for low, high in zip(floats(F16, "eight/low", 96), floats(F16, "eight/high", 96))]
    pairs = [(37 * index) % 256 | (index % 256) << 8 for index in range(256)]
    suite.input_set("singles", ("b32", singles), ("b32", others))
    suite.input_set("halves", ("b32", halves))
    suite.input_set("pairs", ("b16", pairs))
    for format in (E4M3, E5M2):
        for relu in (False, True):
            option = ".relu" if relu else ""
            small = lambda bits, source: to_small(decode(bits, source), format, relu)
            suite.case(f"cvt.rn.satfinite{option}.{format.name}x2.f32 %o0, %a, %b;", "singles", [("b16", [small(y, F32) | small(x, F32) << 8 for x, y in zip(singles, others)])])
            suite.case(f"cvt.rn.satfinite{option}.{format.name}x2.f16x2 %o0, %a;", "halves", [("b16", [small(word & 0xFFFF, F16) | small(word >> 16, F16) << 8 for word in halves])])

            def half(byte):
                number = value_of(byte, format)
                return encode(zero(False) if relu and not number.nan and number.negative else number, F16)
            suite.case(f"cvt.rn{option}.f16x2.{format.name}x2 %o0, %a;", "pairs", [("b32", [half(word & 0xFF) | half(word >> 8) << 16 for word in pairs])])


def packs(suite):
    columns = [integers(32, f"pack/{index}", 48) for index in range(3)]
    small = [[value % 300 - 150 & 0xFFFFFFFF if index % 2 else value for index, value in enumerate(column)] for column in columns[:2]] + [columns[2]]
    suite.input_set("pack", *(("b32", column) for column in small))
    for kind in ("u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"):
        size = int(kind[1:])
        least, most = (-(1 << (size - 1)), (1 << (size - 1)) - 1) if kind[0] == "s" else (0, (1 << size) - 1)
        clamp = lambda value: max(least, min(most, signed(value, 32))) & ((1 << size) - 1)
        above = size < 16
        expected = [clamp(a) << size | clamp(b) | (c << (2 * size) if above else 0) for a, b, c in zip(*small)]
        text = f"cvt.pack.sat.{kind}.s32.b32 %o0, %a, %b, %c;" if above else f"cvt.pack.sat.{kind}.s32 %o0, %a, %b;"
        suite.case(text, "pack", [("b32", expected)])


def finite_limits(suite):
    singles = floats(F32, "finite", 64) + [0x7F7FFFFF, 0xFF7FFFFF, 0x477FF000, 0x477FEFFF, 0x7F800000, 0xFF800000]
    suite.input_set("finite", ("b32", singles))

    def limited(bits, format, mode):
        result = encode(decode(bits, F32), format, mode)
        return result - 1 if result & (format.sign - 1) == format.infinity else result
    for mode in ("rn", "rz"):
        for format in (F16, BF16):
            suite.case(f"cvt.{mode}.satfinite.{format.name}.f32 %o0, %a;", "finite", [("b16", [limited(bits, format, mode) for bits in singles])])
            suite.case(f"cvt.{mode}.satfinite.{format.name}x2.f32 %o0, %a, %a;", "finite", [("b32", [limited(bits, format, mode) * 0x10001 for bits in singles])])
    # The NaN of tf32 in a 32-bit register is the one of singles.
    tf32 = [0x7FFFFFFF if decode(bits, F32).nan else limited(bits, TF32, "rna") << 13 for bits in singles]
    suite.case("cvt.rna.satfinite.tf32.f32 %o0, %a;", "finite", [("b32", tf32)])


def brain_floats(suite):
    """bfloat16 from integers and from half precision."""
    values = integers(32, "brain", 64)
    suite.input_set("integers", ("b32", values))
    for kind in ("u32", "s32"):
        number = lambda value: signed(value, 32) if kind == "s32" else value
        for mode in ("rn", "rz", "rm", "rp"):
            suite.case(f"cvt.{mode}.bf16.{kind} %o0, %a;", "integers", [("b16", [encode(exact(number(value)), BF16, mode) for value in values])])
    halves = floats(F16, "brain/half", 64)
    suite.input_set("half", ("b16", halves))
    suite.case("cvt.rn.bf16.f16 %o0, %a;", "half", [("b16", [encode(decode(bits, F16), BF16) for bits in halves])], nan="bf16")
    brains = floats(BF16, "brain/brain", 64)
    suite.input_set("brain", ("b16", brains))
    suite.case("cvt.rn.f16.bf16 %o0, %a;", "brain", [("b16", [encode(decode(bits, BF16), F16) for bits in brains])], nan="f16")


def main():
    suite = Suite("small-float")
    for part in (eight_bits, packs, finite_limits, brain_floats):
        part(suite)
    suite.write()


if __name__ == "__main__":
    main()
