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


# Function, absolute and relative bound, and where the bound holds.
SINGLES = {
    "ex2": (exponential, 0, 2**-22, lambda x: True), "lg2": (logarithm, 2**-22, 2**-22, lambda x: True),
    "rcp": (reciprocal, 0, 2**-23, lambda x: True), "rsqrt": (inverse_root, 0, 2**-22.9, lambda x: True), "sqrt": (root, 0, 2**-23, lambda x: True),
    "sin": (circular(math.sin), 2**-20.5, 0, lambda x: abs(x) <= math.pi or math.isinf(x)), "cos": (circular(math.cos), 2**-20.5, 0, lambda x: abs(x) <= math.pi or math.isinf(x)),
    "tanh": (math.tanh, 0, 2**-11, lambda x: True),
}


def is_number(value, least):
    return math.isnan(value) or math.isinf(value) or value == 0 or abs(value) >= least


def singles(suite):
    """Subnormal operands and results, where `.ftz` decides, have cases of their own."""
    candidates = floats(F32, "approximate", 300)
    for name, (function, absolute, relative, holds) in SINGLES.items():
        keep = []
        for bits in candidates:
            x = double_of(bits, F32)
            if math.isnan(x):
                keep.append(bits)
            elif is_number(x, 2.0**-126) and holds(x) and is_number(function(x), 2.0**-125) and (not math.isfinite(function(x)) or abs(function(x)) < 2.0**127.9):
                keep.append(bits)
        values = [function(double_of(bits, F32)) if not math.isnan(double_of(bits, F32)) else math.nan for bits in keep]
        inputs = suite.input_set(name, ("b32", keep))
        for flush in (("", ".ftz") if name != "tanh" else ("",)):
            suite.case(f"{name}.approx{flush}.f32 %o0, %a;", inputs, [("b64", [bits_of(value) for value in values])], bound={"format": "f32", "absolute": absolute, "relative": relative})
        if name != "tanh":
            tiny = [1, 0x80000001, 0x7FFFFF, 0x807FFFFF]
            expected = [function(math.copysign(0.0, double_of(bits, F32))) for bits in tiny]
            suite.case(f"{name}.approx.ftz.f32 %o0, %a;", suite.input_set("subnormal", ("b32", tiny)), [("b64", [bits_of(value) for value in expected])],
                       bound={"format": "f32", "absolute": absolute, "relative": relative})


def quotients(suite):
    pairs = []
    for a, b in zip(*float_pairs(F32, "approximate", 256)):
        x, y = double_of(a, F32), double_of(b, F32)
        number = formats.divide(decode(a, F32), decode(b, F32))
        value = math.nan if number.nan else math.copysign(math.inf, -1 if number.negative else 1) if number.infinite else -0.0 if number.zero and number.negative else float(number.value)
        if all(is_number(part, 2.0**-126) for part in (x, y, value)) and (not math.isfinite(value) or abs(value) < 2.0**127.9) and (not math.isfinite(y) or y == 0 or abs(y) <= 2.0**126):
            pairs.append((a, b, value))
    name = suite.input_set("quotients", ("b32", [a for a, _, _ in pairs]), ("b32", [b for _, b, _ in pairs]))
    for kind in ("approx", "full"):
        for flush in ("", ".ftz"):
            suite.case(f"div.{kind}{flush}.f32 %o0, %a, %b;", name, [("b64", [bits_of(value) for _, _, value in pairs])], bound={"format": "f32", "absolute": 0, "relative": 2**-22})


def doubles(suite):
    keep = [bits for bits in floats(F64, "approximate", 128) if is_number(double_of(bits, F64), 2.0**-1022) and not 0 < abs(double_of(bits, F64)) < 2.0**-1000 and not 2.0**1000 < abs(double_of(bits, F64)) < math.inf]
    name = suite.input_set("doubles", ("b64", keep))
    for opcode, function in (("rcp", reciprocal), ("rsqrt", inverse_root)):
        values = [math.nan if math.isnan(double_of(bits, F64)) else function(double_of(bits, F64)) for bits in keep]
        suite.case(f"{opcode}.approx.ftz.f64 %o0, %a;", name, [("b64", [bits_of(value) for value in values])], bound={"format": "f64", "absolute": 0, "relative": 2**-20})
        suite.case(f"{opcode}.approx.ftz.f64 %w1, %a; cvt.u32.u64 %o0, %w1;", name, [("b32", [0] * len(keep))])


def halves(suite):
    """The manual bounds ex2 by 2^-9.9 (f16) and 2^-7 (bf16), tanh by 2^-10.987 absolute (f16) and 2^-8 relative (bf16)."""
    for format, least in ((F16, 2.0**-14), (BF16, 2.0**-126)):
        for opcode, function in (("ex2", exponential), ("tanh", math.tanh)):
            keep = [bits for bits in floats(format, f"approximate/{opcode}", 128) if is_number(double_of(bits, format), least)]
            values = [math.nan if math.isnan(double_of(bits, format)) else function(double_of(bits, format)) for bits in keep]
            rows = [(bits, value) for bits, value in zip(keep, values) if is_number(value, least) and (not math.isfinite(value) or abs(value) < (6e4 if format is F16 else 2.0**127))]
            name = suite.input_set(f"{opcode}-{format.name}", ("b16", [bits for bits, _ in rows]))
            flush = ".ftz" if opcode == "ex2" and format is BF16 else ""
            bound = {"format": format.name, "absolute": 0, "relative": 2**-7} if format is BF16 else {"format": "f16", "absolute": 2**-10.987 if opcode == "tanh" else 0, "relative": 2**-9.9 if opcode == "ex2" else 0}
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
