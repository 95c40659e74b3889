"""cvt among all types, to packed halves and to tf32 (PTX ISA section 9.7.9.21), and comparisons of integers (9.7.6)."""

from fractions import Fraction

import formats
from cases import Suite, of_type
from float_cases import COMBINE, comparisons
from formats import BF16, F16, F32, F64, FORMATS, TF32, decode, encode, exact, round_integer
from values import floats, integer_corners, integers

INTEGERS = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"]
TO_INTEGER = {"rni": "rn", "rzi": "rz", "rmi": "rm", "rpi": "rp"}


def size_of(kind):
    return int(kind.lstrip("busf"))


def container(kind):
    """Registers of 8-bit values are wider (PTX ISA section 9.4.1)."""
    return "b32" if size_of(kind) == 8 else f"b{size_of(kind)}"


def range_of(kind):
    bits = size_of(kind)
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind[0] == "s" else (0, (1 << bits) - 1)


def clamp(value, kind):
    least, most = range_of(kind)
    return max(least, min(most, value))


def prepare(suite):
    for bits in (8, 16, 32, 64):
        width = max(bits, 32) if bits == 8 else bits
        limits = [value & ((1 << width) - 1) for kind in INTEGERS for value in range_of(kind) for value in (value - 1, value, value + 1)]
        ties = [(1 << shift) + low for shift in range(9, width, 5) for low in (1, (1 << (shift - 8)) // 2, 3)]
        values = (limits + [value & ((1 << width) - 1) for value in ties] + integers(width, "convert", 128))[:160]
        suite.columns[f"i{bits}"] = values
        suite.input_set(f"i{bits}", (f"b{width}", values))
    edges = [Fraction(sign * ((1 << bits) + low), 4) for bits in range(2, 67) for low in (-1, 0, 1, 2) for sign in (1, -1)]
    for format in (F16, BF16, F32, F64):
        near = [encode(exact(value), format, "rz") for value in edges if value.denominator == 1 or abs(value) < 1 << 20]
        halves = [encode(exact(Fraction(value, 2)), format) for value in range(-7, 8) if value]
        values = list(dict.fromkeys(halves + near[::5] + floats(format, "convert", 96)))
        values += narrow_ties(format)
        suite.columns[format.name] = values
        suite.input_set(format.name, (f"b{format.bits}", values))


def narrow_ties(format):
    """Numbers half-way between neighbours of narrower formats, and next to half-way."""
    values = []
    for target in (F16, BF16, TF32, F32):
        if target.fraction_bits >= format.fraction_bits or target.exponent_bits > format.exponent_bits:
            continue
        for bits in (0, 1, target.smallest_normal - 1, target.smallest_normal, target.bias << target.fraction_bits, target.largest - 1, target.largest):
            low = decode(bits, target).value
            step = decode(bits + 1, target).value - low if bits < target.largest else low - decode(bits - 1, target).value
            for number in (low + step / 2, low + step * Fraction(3, 4), low + step / 4):
                middle = encode(exact(number), format)
                values += [middle, middle + 1, middle | format.sign, (middle - 1) | format.sign]
    return values


def read(value, kind):
    """The operand's low bits as the type says; registers may be wider."""
    bits = size_of(kind)
    return of_type(value & ((1 << bits) - 1), f"{kind[0]}{bits}")


def integer_to_integer(suite):
    for source in INTEGERS:
        values = suite.columns[f"i{size_of(source)}"]
        for target in INTEGERS:
            if source != target:
                suite.case(f"cvt.{target}.{source} %o0, %a;", f"i{size_of(source)}", [(container(target), [widened(read(value, source), target) for value in values])])
            (least, most), (lower, upper) = range_of(source), range_of(target)
            if lower <= least and most <= upper:
                continue
            suite.case(f"cvt.sat.{target}.{source} %o0, %a;", f"i{size_of(source)}",
                       [(container(target), [widened(clamp(read(value, source), target), target) for value in values])])


def widened(value, kind):
    """A result in its register: 8-bit ones are extended by their sign to the register's width (PTX ISA section 9.4.1)."""
    bits = size_of(kind)
    return of_type(value & ((1 << bits) - 1), f"{kind[0]}{bits}")


def float_to_integer(suite):
    for source in ("f16", "bf16", "f32", "f64"):
        format = FORMATS[source]
        for target in INTEGERS:
            for mode, rounding in TO_INTEGER.items():
                for flush in ((False, True) if source == "f32" else (False,)):
                    for saturate in (("", "sat") if mode == "rzi" and not flush else ("",)):
                        text = ".".join(filter(None, ["cvt", mode, "ftz" if flush else "", saturate, target, source]))
                        expected = [to_integer(formats.flush(bits, format) if flush else bits, format, target, rounding) for bits in suite.columns[source]]
                        suite.case(f"{text} %o0, %a;", source, [(container(target), [widened(value, target) for value in expected])])


def to_integer(bits, format, target, rounding):
    """Clamped. NaN is 0, but the highest bit alone when the source is a double or the target has 64 bits."""
    number = decode(bits, format)
    least, most = range_of(target)
    if number.nan:
        return 1 << (size_of(target) - 1) if format is F64 or size_of(target) == 64 else 0
    if number.infinite:
        return least if number.negative else most
    magnitude = round_integer(abs(number.value), rounding, number.negative)
    return clamp(-magnitude if number.negative else magnitude, target)


def integer_to_float(suite):
    for source in INTEGERS:
        values = suite.columns[f"i{size_of(source)}"]
        for target in ("f16", "f32", "f64"):
            for mode in ("rn", "rz", "rm", "rp"):
                for saturate in (("", "sat") if target == "f32" and mode == "rn" else ("",)):
                    format = FORMATS[target]
                    expected = [encode(exact(read(value, source)), format, mode) for value in values]
                    if saturate:
                        expected = [formats.saturate(bits, format) for bits in expected]
                    text = ".".join(filter(None, ["cvt", mode, saturate, target, source]))
                    suite.case(f"{text} %o0, %a;", f"i{size_of(source)}", [(f"b{format.bits}", expected)])


def rounded(bits, source, target, mode="rn", flush=False, saturate=False, relu=False):
    """A float to another format."""
    if flush and source is F32:
        bits = formats.flush(bits, source)
    number = decode(bits, source)
    if relu and not number.nan and number.negative:
        number = formats.zero(False)
    result = encode(number, target, mode)
    if flush and target is F32:
        result = formats.flush(result, target)
    return formats.saturate(result, target) if saturate else result


def float_to_float(suite):
    widening = [("f16", "f32"), ("bf16", "f32"), ("f16", "f64"), ("f32", "f64")]
    narrowing = [("f64", "f32", ("rn", "rz", "rm", "rp")), ("f64", "f16", ("rn", "rz", "rm", "rp")), ("f32", "f16", ("rn", "rz", "rm", "rp")), ("f32", "bf16", ("rn", "rz"))]
    for source, target in widening:
        convert(suite, source, target, "", ("", "ftz") if "f32" in (source, target) and source != "bf16" else ("",), ("", "sat") if source != "bf16" else ("",))
    for source, target, modes in narrowing:
        for mode in modes:
            convert(suite, source, target, mode, ("", "ftz") if "f32" in (source, target) and target != "bf16" else ("",), ("", "sat") if target != "bf16" else ("",))
    for target in ("f16", "bf16"):
        for mode in ("rn", "rz"):
            expected = [rounded(bits, F32, FORMATS[target], mode, relu=True) for bits in suite.columns["f32"]]
            suite.case(f"cvt.{mode}.relu.{target}.f32 %o0, %a;", "f32", [("b16", expected)], nan=target)
    for kind in ("f16", "f32", "f64"):
        for mode, rounding in {"": None, **TO_INTEGER}.items():
            for flush in (("", "ftz") if kind == "f32" else ("",)):
                for saturate in ("", "sat"):
                    text = ".".join(filter(None, ["cvt", mode, flush, saturate, kind, kind]))
                    expected = [integral(bits, FORMATS[kind], rounding, flush, saturate) for bits in suite.columns[kind]]
                    suite.case(f"{text} %o0, %a;", kind, [(container(kind), expected)], nan=kind)


def convert(suite, source, target, mode, flushes, saturations):
    for flush in flushes:
        for saturate in saturations:
            text = ".".join(filter(None, ["cvt", mode, flush, saturate, target, source]))
            expected = [rounded(bits, FORMATS[source], FORMATS[target], mode or "rn", flush == "ftz", saturate == "sat") for bits in suite.columns[source]]
            suite.case(f"{text} %o0, %a;", source, [(f"b{FORMATS[target].bits}", expected)], nan=target)


def integral(bits, format, rounding, flush, saturate):
    """A float to an integral float; a result of zero keeps the sign."""
    if flush:
        bits = formats.flush(bits, format)
    number = decode(bits, format)
    if rounding and number.kind == "finite":
        magnitude = round_integer(abs(number.value), rounding, number.negative)
        bits = encode(formats.Number("finite", number.negative, Fraction(-magnitude if number.negative else magnitude)), format)
    return formats.saturate(bits, format) if saturate else bits


def packed_and_tf32(suite):
    source = suite.columns["f32"]
    pair = suite.input_set("pairs", ("b32", source), ("b32", source[7:] + source[:7]))
    for target in (F16, BF16):
        for mode in ("rn", "rz"):
            for relu in ("", "relu"):
                text = ".".join(filter(None, ["cvt", mode, relu, f"{target.name}x2", "f32"]))
                upper, lower = [[rounded(bits, F32, target, mode, relu=relu != "") for bits in column] for column in (source, source[7:] + source[:7])]
                suite.case(f"{text} %o0, %a, %b;", pair, [("b32", [high << 16 | low for high, low in zip(upper, lower)])], nan=f"{target.name}x2")
    for mode in ("rna", "rn", "rz"):
        for relu in (("", "relu") if mode != "rna" else ("",)):
            text = ".".join(filter(None, ["cvt", mode, relu, "tf32.f32"]))
            expected = [rounded(bits, F32, TF32, mode, relu=relu != "") << 13 for bits in source]
            suite.case(f"{text} %o0, %a;", "f32", [("b32", expected)], nan="f32")


INTEGER_COMPARISONS = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
    "lo": lambda a, b: a < b, "ls": lambda a, b: a <= b, "hi": lambda a, b: a > b, "hs": lambda a, b: a >= b,
}


def compare_integers(suite):
    for bits in (16, 32, 64):
        columns = [integers(bits, f"compare/{seed}", 48) for seed in "abc"]
        columns[1][::4] = columns[0][::4]
        for letter in "bus":
            kind = f"{letter}{bits}"
            suite.columns[kind] = columns
            suite.input_set(kind, *((f"b{bits}", column) for column in columns))
            names = {"b": ["eq", "ne"], "s": ["eq", "ne", "lt", "le", "gt", "ge"], "u": list(INTEGER_COMPARISONS)}[letter]
            comparisons(suite, kind, names, lambda name, flush, a, b, _=0: INTEGER_COMPARISONS[name](of_type(a, kind), of_type(b, kind)))


def main():
    suite = Suite("convert")
    suite.columns = {}
    prepare(suite)
    for part in (integer_to_integer, float_to_integer, integer_to_float, float_to_float, packed_and_tf32):
        part(suite)
    suite.write()
    suite = Suite("integer-compare")
    suite.columns = {}
    compare_integers(suite)
    suite.write()


if __name__ == "__main__":
    main()
