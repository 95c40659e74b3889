"""Approximate functions within the bounds of PTX ISA sections 9.7.3 and 9.7.4, and comparisons whose results are halves.

References are computed in double precision, whose own error is far below every bound; expected values are the bits of doubles.
"""

import math
import struct

import formats
from cases import Suite
from float_cases import FLOAT_COMPARISONS, related
from formats import BF16, F16, F32, F64, FORMATS, decode, encode
from values import float_pairs, floats


def double_of(bits, format):
    number = decode(bits, format)
    if number.nan:
        return math.nan
    if number.infinite:
        return -math.inf if number.negative else math.inf
    return -0.0 if number.zero and number.negative else float(number.value)


def bits_of(value):
    return struct.unpack("<Q", struct.pack("<d", value))[0] if not math.isnan(value) else F64.nan


def exponential(x):
    return 2.0 ** max(-2000.0, min(x, 1023.9)) if not math.isnan(x) and x < 1024 else x if math.isnan(x) else math.inf


def logarithm(x):
    return math.nan if math.isnan(x) or x < 0 else -math.inf if x == 0 else math.log2(x) if x < math.inf else x


def reciprocal(x):
    return math.copysign(math.inf, x) if x == 0 else 1 / x


def inverse_root(x):
    return math.nan if math.isnan(x) or x < 0 else math.copysign(math.inf, x) if x == 0 else 1 / math.sqrt(x)


def root(x):
    return math.nan if math.isnan(x) or x < 0 else x if x in (0, math.inf) else math.sqrt(x)


def circular(function):
    return lambda x: math.nan if math.isinf(x) else function(x)


# Function, absolute and relative bound or units in the last place, and where the bound holds (PTX ISA sections 9.7.3.13 to 9.7.3.22).
SINGLES = {
    "ex2": (exponential, {"ulps": 2}, lambda x: True), "rcp": (reciprocal, {"ulps": 1}, lambda x: True),
    "lg2": (logarithm, {"absolute": 2**-22}, lambda x: 0.5 < x < 2), "lg2 far": (logarithm, {"relative": 2**-22}, lambda x: not 0.5 < x < 2),
    "rsqrt": (inverse_root, {"relative": 2**-22.9}, lambda x: True), "sqrt": (root, {"relative": 2**-23}, lambda x: True),
    "sin": (circular(math.sin), {"absolute": 2**-20.5}, lambda x: abs(x) <= 2 * math.pi or math.isinf(x)), "sin far": (circular(math.sin), {"absolute": 2**-14.7}, lambda x: abs(x) <= 100 * math.pi),
    "cos": (circular(math.cos), {"absolute": 2**-20.5}, lambda x: abs(x) <= 2 * math.pi or math.isinf(x)), "cos far": (circular(math.cos), {"absolute": 2**-14.7}, lambda x: abs(x) <= 100 * math.pi),
    "tanh": (math.tanh, {"relative": 2**-11}, lambda x: True),
}


def bound_of(format, absolute=0, relative=0, **ulps):
    return {"format": format.name, "absolute": absolute, "relative": relative, **ulps}


def is_number(value, least):
    return math.isnan(value) or math.isinf(value) or value == 0 or abs(value) >= least


def singles(suite):
    """Results that are nearly too large have no part in this: rounding decides whether they are infinite."""
    candidates = floats(F32, "approximate", 300) + [struct.unpack("<I", struct.pack("<f", sign * x))[0] for sign in (1, -1) for x in (1.5, 1.99, 3.3, 6.28, 6.3, 44.5, 100.25, 314.0)]
    for name, (function, wanted, holds) in SINGLES.items():
        opcode, bound = name.split()[0], bound_of(F32, **wanted)
        for flush in (("", ".ftz") if opcode != "tanh" else ("",)):
            least = 2.0**-126 if flush else 0
            flushed = lambda x: math.copysign(0.0, x) if abs(x) < least else x
            values = {}
            for bits in candidates:
                x = double_of(bits, F32)
                value = math.nan if math.isnan(x) else function(flushed(x))
                # A result next to the least normal number is flushed or not, as it is rounded.
                if (math.isnan(x) or holds(x)) and not 2.0**127.9 <= abs(value) < math.inf and not (flush and 2.0**-127 < abs(value) < 2.0**-125):
                    values[bits] = flushed(value)
            inputs = suite.input_set(f"{name}{flush}", ("b32", list(values)))
            suite.case(f"{opcode}.approx{flush}.f32 %o0, %a;", inputs, [("b64", [bits_of(value) for value in values.values()])], bound=bound)


def approximate_quotient(x, y):
    """div.approx of a divisor beyond 2^126 is a product with a zero, to which the reciprocal is flushed (PTX ISA section 9.7.3.8)."""
    return x * math.copysign(0.0, y) if abs(y) > 2.0**126 else None


def quotients(suite):
    pairs = []
    for a, b in zip(*float_pairs(F32, "approximate", 256)):
        x, y = double_of(a, F32), double_of(b, F32)
        number = formats.divide(decode(a, F32), decode(b, F32))
        value = math.nan if number.nan else math.copysign(math.inf, -1 if number.negative else 1) if number.infinite else -0.0 if number.zero and number.negative else float(number.value)
        if all(is_number(part, 2.0**-126) for part in (x, y)) and is_number(value, 2.0**-125) and (not math.isfinite(value) or abs(value) < 2.0**127.9):
            pairs.append((a, b, value))
    huge = [0x7E800001, 0xFE800001, 0x7F7FFFFF, 0xFF000000]
    pairs += [(a, b, double_of(a, F32) / double_of(b, F32)) for a in (0x7F800000, 0xFF800000, 0x7F7FFFFF, 0x00000000, 0x80000000, 0x7F000001) for b in [0x7E800000, 0xFE800000, *huge]]
    name = suite.input_set("quotients", ("b32", [a for a, _, _ in pairs]), ("b32", [b for _, b, _ in pairs]))
    for kind in ("approx", "full"):
        for flush in ("", ".ftz"):
            values = [value for _, _, value in pairs] if kind == "full" else [other if (other := approximate_quotient(double_of(a, F32), double_of(b, F32))) is not None else value for a, b, value in pairs]
            suite.case(f"div.{kind}{flush}.f32 %o0, %a, %b;", name, [("b64", [bits_of(value) for value in values])], bound=bound_of(F32, ulps=2))


def doubles(suite):
    """Only the upper words of operand and result count; 20 bits of a fraction are kept."""
    keep = [bits for bits in floats(F64, "approximate", 128) if is_number(double_of(bits & ~0xFFFFFFFF, F64), 2.0**-1022) and not 0 < abs(double_of(bits, F64)) < 2.0**-1000 and not 2.0**1000 < abs(double_of(bits, F64)) < math.inf]
    name = suite.input_set("doubles", ("b64", keep))
    tiny = suite.input_set("subnormal doubles", ("b64", [1 << 32, 1 << 63 | 1 << 32, 0xFFFFFFFFFFFFF, 1 << 63 | 0xFFFFFFFFFFFFF]))
    nans = suite.input_set("doubles without a number", ("b64", [0x7FF8000000000000, 0xFFF8000012345678, 0x7FF4000000000000, 0xFFFFFFFFFFFFFFFF]))
    for opcode, function in (("rcp", reciprocal), ("rsqrt", inverse_root)):
        values = [math.nan if math.isnan(x) else function(x) for x in (double_of(bits & ~0xFFFFFFFF, F64) for bits in keep)]
        suite.case(f"{opcode}.approx.ftz.f64 %o0, %a;", name, [("b64", [bits_of(value) for value in values])], bound=bound_of(F64, relative=2**-20))
        suite.case(f"{opcode}.approx.ftz.f64 %w1, %a; cvt.u32.u64 %o0, %w1;", name, [("b32", [0] * len(keep))])
        suite.case(f"{opcode}.approx.ftz.f64 %o0, %a;", tiny, [("b64", [0x7FF << 52, 0xFFF << 52] * 2)])
        suite.case(f"{opcode}.approx.ftz.f64 %o0, %a;", nans, [("b64", [0x7FFFFFFF00000000] * 4)])


def halves(suite):
    """The manual bounds ex2 by 2^-9.9 (f16) and 2^-7 (bf16), tanh by 2^-10.987 (f16) and 2^-8 (bf16), whatever the result is."""
    for format, least in ((F16, 2.0**-14), (BF16, 2.0**-126)):
        for opcode, function in (("ex2", exponential), ("tanh", math.tanh)):
            keep = [bits for bits in floats(format, f"approximate/{opcode}", 128) if is_number(double_of(bits, format), least)]
            values = [math.nan if math.isnan(double_of(bits, format)) else function(double_of(bits, format)) for bits in keep]
            rows = [(bits, value) for bits, value in zip(keep, values) if is_number(value, least) and (not math.isfinite(value) or abs(value) < (6e4 if format is F16 else 2.0**127))]
            name = suite.input_set(f"{opcode}-{format.name}", ("b16", [bits for bits, _ in rows]))
            flush = ".ftz" if opcode == "ex2" and format is BF16 else ""
            bound = bound_of(format, absolute=2**-10.987 if format is F16 else 2**-8) if opcode == "tanh" else bound_of(format, relative=2**-9.9 if format is F16 else 2**-7)
            suite.case(f"{opcode}.approx{flush}.{format.name} %o0, %a;", name, [("b64", [bits_of(value) for _, value in rows])], bound=bound)
            packed = f"mov.b32 %t2, {{%a, %h1}}; mov.b16 %h1, %a; mov.b32 %t2, {{%h1, %a}}; {opcode}.approx{flush}.{format.name}x2 %t3, %t2; mov.b32 {{%h2, %h3}}, %t3; "
            suite.case(packed.split("; ", 1)[1] + "setp.eq.b16 %p0, %h2, %h3; selp.b16 %o0, %h3, 0x5555, %p0;", name, [("b64", [bits_of(value) for _, value in rows])], bound=bound, opcode=f"{opcode} packed")


def half_comparisons(suite):
    """set with results in halves: 1.0 or all ones where the comparison holds (PTX ISA section 9.7.7.1)."""
    for format in (F16, BF16):
        kind = format.name
        a, b = float_pairs(format, "set", 96)
        a2, b2 = ([low | high << 16 for low, high in zip(column, column[1:] + column[:1])] for column in (a, b))
        name, packed = suite.input_set(f"set-{kind}", ("b16", a), ("b16", b)), suite.input_set(f"set-{kind}x2", ("b32", a2), ("b32", b2))
        one = format.bias << format.fraction_bits
        for comparison in FLOAT_COMPARISONS:
            truth = [related(comparison, decode(x, format), decode(y, format)) for x, y in zip(a, b)]
            for result, value in ((kind, one), ("u16", 0xFFFF), ("s16", 0xFFFF)):
                suite.case(f"set.{comparison}.{result}.{kind} %o0, %a, %b;", name, [("b16", [value if holds else 0 for holds in truth])], opcode="set of halves")
            both = [low * one | high * one << 16 for low, high in zip(truth, truth[1:] + truth[:1])]
            suite.case(f"set.{comparison}.{kind}x2.{kind}x2 %o0, %a, %b;", packed, [("b32", both)], opcode="set of halves")
            if format is BF16:
                suite.case(f"setp.{comparison}.bf16 %p0, %a, %b; selp.b32 %o0, 1, 0, %p0;", name, [("b32", [int(holds) for holds in truth])], opcode="setp of bfloat16")


def main():
    suite = Suite("approximate")
    for part in (singles, quotients, doubles, halves, half_comparisons):
        part(suite)
    suite.write()


if __name__ == "__main__":
    main()
