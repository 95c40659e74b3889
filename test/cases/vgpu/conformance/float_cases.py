"""Floating-point arithmetic of single, double, half and bfloat16 (PTX ISA sections 9.7.3, 9.7.4) and comparisons (9.7.6)."""

import formats
from cases import Suite
from formats import BF16, F16, F32, F64, NAN, Number, decode, encode, exact, negate
from values import float_pairs, float_triples, floats, integers

ROUNDINGS = ("rn", "rz", "rm", "rp")
THREADS = 64


def prepare(suite):
    for format in (F32, F64, F16, BF16):
        suite.columns[format.name] = float_triples(format, "float", 96)
        suite.input_set(format.name, *((f"b{format.bits}", column) for column in suite.columns[format.name]))
        if format.bits == 16:
            columns = [[low | high << 16 for low, high in zip(column, column[1:] + column[:1])] for column in suite.columns[format.name]]
            suite.columns[f"{format.name}x2"] = columns
            suite.input_set(f"{format.name}x2", *(("b32", column) for column in columns))


def compute(operation, bits, format, mode="rn", flush=False, saturate=False, relu=False):
    """One instruction on bits; `operation` takes numbers and the rounding mode."""
    if flush:
        bits = [formats.flush(value, format) for value in bits]
    result = operation(*(decode(value, format) for value in bits), mode)
    if relu and not result.nan and result.negative:
        result = formats.zero(False)
    rounded = encode(result, format, mode)
    if flush:
        rounded = formats.flush(rounded, format)
    return formats.saturate(rounded, format) if saturate else rounded


OPERATIONS = {
    "add": (2, lambda a, b, mode: formats.add(a, b, mode)), "sub": (2, lambda a, b, mode: formats.add(a, negate(b), mode)),
    "mul": (2, lambda a, b, mode: formats.multiply(a, b)), "fma": (3, lambda a, b, c, mode: formats.fused(a, b, c, mode)),
    "mad": (3, lambda a, b, c, mode: formats.fused(a, b, c, mode)), "div": (2, lambda a, b, mode: formats.divide(a, b)),
    "rcp": (1, lambda a, mode: formats.divide(exact(1), a)), "sqrt": (1, lambda a, mode: formats.square_root(a)),
}


def emit(suite, text, kind, arity, function):
    """A case whose lanes are `function` of the bits, in each half for packed types."""
    format = formats.FORMATS[kind.removesuffix("x2")]
    columns = suite.columns[kind][:arity]
    if kind.endswith("x2"):
        expected = [function(*(value & 0xFFFF for value in row)) | function(*(value >> 16 for value in row)) << 16 for row in zip(*columns)]
    else:
        expected = [function(*row) for row in zip(*columns)]
    container = "b32" if kind.endswith("x2") else f"b{format.bits}"
    suite.case(f"{text} %o0, {', '.join(['%a', '%b', '%c'][:arity])};", kind, [(container, expected)], nan=kind)


def wide_arithmetic(suite):
    """f32 and f64 with every rounding; f32 with .ftz and .sat."""
    for name, (arity, operation) in OPERATIONS.items():
        for kind, format in (("f32", F32), ("f64", F64)):
            modes = ROUNDINGS if name in ("fma", "mad", "div", "rcp", "sqrt") else ("",) + ROUNDINGS
            for mode in modes:
                for flush in ((False, True) if kind == "f32" else (False,)):
                    for saturate in ((False, True) if kind == "f32" and name in ("add", "sub", "mul", "fma", "mad") else (False,)):
                        text = ".".join(filter(None, [name, mode, "ftz" if flush else "", "sat" if saturate else "", kind]))
                        emit(suite, text, kind, arity, lambda *bits: compute(operation, bits, format, mode or "rn", flush, saturate))


def half_arithmetic(suite):
    for name in ("add", "sub", "mul", "fma"):
        arity, operation = OPERATIONS[name]
        for kind in ("f16", "f16x2", "bf16", "bf16x2"):
            format = formats.FORMATS[kind.removesuffix("x2")]
            rounding = ("rn",) if name == "fma" else ("", "rn")
            variants = [(mode, flush, limit) for mode in rounding for flush in (("", "ftz") if format is F16 else ("",))
                        for limit in (("", "sat") if format is F16 else ("",)) + (("relu",) if name == "fma" else ())]
            for mode, flush, limit in variants:
                text = ".".join(filter(None, [name, mode, flush, limit, kind]))
                emit(suite, text, kind, arity, lambda *bits: compute(operation, bits, format, "rn", flush == "ftz", limit == "sat", limit == "relu"))


def sign_operations(suite):
    for kind in ("f32", "f64", "f16", "f16x2", "bf16", "bf16x2"):
        format = formats.FORMATS[kind.removesuffix("x2")]
        for flush in ((False, True) if format in (F32, F16) else (False,)):
            clean = (lambda bits: formats.flush(bits, format)) if flush else (lambda bits: bits)
            ftz = "ftz." if flush else ""
            emit(suite, f"abs.{ftz}{kind}", kind, 1, lambda a: clean(a) & (format.sign - 1))
            emit(suite, f"neg.{ftz}{kind}", kind, 1, lambda a: clean(a) ^ format.sign)


def order(number):
    """Sorts numbers, -0 below +0."""
    return (2 if not number.negative else -2, 0) if number.infinite else (0, number.value, 0 if number.negative else 1)


def less(a, b):
    """Total order of numbers that are no NaN."""
    if a.infinite or b.infinite:
        rank = {(True, True): -1, (True, False): 1}
        return rank.get((a.infinite, a.negative), 0) < rank.get((b.infinite, b.negative), 0)
    return a.value < b.value or (a.zero and b.zero and a.negative and not b.negative)


def extreme(name, bits, format, flush, propagate, by_magnitude):
    """min and max of two operands as PTX ISA sections 9.7.3.11 and 9.7.4.7 spell them."""
    if flush:
        bits = [formats.flush(value, format) for value in bits]
    a, b = (decode(value, format) for value in bits)
    sign = (bits[0] ^ bits[1]) & format.sign
    x, y = [Number(n.kind, False, abs(n.value)) for n in (a, b)] if by_magnitude else (a, b)
    if x.nan and y.nan or (propagate and (x.nan or y.nan)):
        return format.nan
    if x.nan or y.nan:
        chosen = y if x.nan else x
    else:
        smaller, larger = (x, y) if less(x, y) else (y, x)
        chosen = smaller if name == "min" else larger
    result = encode(chosen, format)
    return result & (format.sign - 1) | sign if by_magnitude else result


def extremes(suite):
    for name in ("min", "max"):
        for kind in ("f32", "f64", "f16", "f16x2", "bf16", "bf16x2"):
            format = formats.FORMATS[kind.removesuffix("x2")]
            for flush in (("", "ftz") if format in (F32, F16) else ("",)):
                for propagate in (("", "NaN") if format is not F64 else ("",)):
                    for magnitude in (("", "xorsign.abs") if format is not F64 else ("",)):
                        text = ".".join(filter(None, [name, flush, propagate, magnitude, kind]))
                        emit(suite, text, kind, 2, lambda *bits: extreme(name, bits, format, flush == "ftz", propagate == "NaN", magnitude != ""))


def related(comparison, a, b):
    """A float comparison (PTX ISA section 9.3.2): ordered ones are false for NaN, unordered ones true."""
    unordered = a.nan or b.nan
    if comparison in ("num", "nan"):
        return unordered == (comparison == "nan")
    if unordered:
        return comparison.endswith("u") and comparison != "u"
    base = comparison[:2]
    below = less(a, b) and not (a.zero and b.zero)
    above = less(b, a) and not (a.zero and b.zero)
    return {"eq": not below and not above, "ne": below or above, "lt": below, "le": not above, "gt": above, "ge": not below}[base]


FLOAT_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")
COMBINE = {"": lambda x, p: x, "and": lambda x, p: x and p, "or": lambda x, p: x or p, "xor": lambda x, p: x != p}


def comparisons(suite, kind, names, holds):
    """setp with each combination, set with each result."""
    bits = kind.lstrip("busf")
    for index, name in enumerate(names):
        for flush in (("", "ftz") if kind in ("f32", "f16") else ("",)):
            truths = [holds(name, flush == "ftz", *row) for row in zip(*suite.columns[kind][:2])]
            parity = [value & 1 == 1 for value in suite.columns[kind][2]]
            low = {"16": f"cvt.u32.u16 %t0, %c;", "32": "mov.b32 %t0, %c;", "64": "cvt.u32.u64 %t0, %c;"}[bits]
            guard = f"{low} and.b32 %t0, %t0, 1; setp.ne.u32 %p2, %t0, 0;"
            for combine, join in COMBINE.items():
                head = ".".join(filter(None, ["setp", name, combine, flush, kind]))
                extra = ", %p2" if combine else ""
                # Halves have no second predicate.
                results, other = ("%p0", "not.pred %p1, %p0;") if kind == "f16" else ("%p0|%p1", "")
                body = f"{head} {results}, %a, %b{extra}; {other} selp.b32 %o0, 1, 0, %p0; selp.b32 %o1, 1, 0, %p1;"
                expected = [[int(join(truth, p)) for truth, p in zip(truths, parity)], [int(not join(truth, p) if kind == "f16" else join(not truth, p)) for truth, p in zip(truths, parity)]]
                suite.case((guard + " " if combine else "") + body, kind, [("b32", column) for column in expected], opcode="setp")
            results = ("u32", "s32", "u32" if kind == "f16" else "f32")
            result = results[index % 3]
            one = 0x3F800000 if result == "f32" else 0xFFFFFFFF
            head = ".".join(filter(None, ["set", name, flush, result, kind]))
            suite.case(f"{head} %o0, %a, %b;", kind, [("b32", [one if truth else 0 for truth in truths])], opcode="set")
            for combine in list(COMBINE)[1 + index % 3:2 + index % 3]:
                head = ".".join(filter(None, ["set", name, combine, flush, results[(index + 1) % 3], kind]))
                one = 0x3F800000 if results[(index + 1) % 3] == "f32" else 0xFFFFFFFF
                suite.case(f"{guard} {head} %o0, %a, %b, %p2;", kind, [("b32", [one if COMBINE[combine](t, p) else 0 for t, p in zip(truths, parity)])], opcode="set")


def compare_all(suite):
    for kind in ("f32", "f64", "f16"):
        format = formats.FORMATS[kind]
        clean = lambda flush, bits: decode(formats.flush(bits, format) if flush else bits, format)
        comparisons(suite, kind, FLOAT_COMPARISONS, lambda name, flush, a, b, _=0: related(name, clean(flush, a), clean(flush, b)))


def kept_bits(suite):
    """A guard: lanes that it leaves out keep bits that are no result of arithmetic, and bits that it lets in replace one. A NaN of arithmetic has the sign +."""
    bits, one, two = 0xFFC12345, 0x3F800000, 0x40000000
    name = suite.input_set("bits", ("b32", [bits if lane % 3 else one for lane in range(THREADS)]))
    registers = ".reg .f32 %x, %y; mov.b32 %y, %a; mov.f32 %x, 0f3F800000; setp.lt.u32 %p0, %thread, 30;"
    suite.case(f"{registers} @%p0 add.rn.f32 %y, %x, %x; mov.b32 %o0, %y;", name, [("b32", [two if lane < 30 else bits if lane % 3 else one for lane in range(THREADS)])], opcode="add")
    suite.case(f"{registers} add.rn.f32 %x, %x, %x; @%p0 mov.b32 %x, %a; mov.b32 %o0, %x;", name, [("b32", [(bits if lane % 3 else one) if lane < 30 else two for lane in range(THREADS)])], opcode="add")
    suite.case(f"{registers} @%p0 add.rn.f32 %y, %y, %x; mov.b32 %o0, %y;", name,
               [("b32", [(0x7FFFFFFF if lane % 3 else two) if lane < 30 else bits if lane % 3 else one for lane in range(THREADS)])], opcode="add")
    suite.case(".reg .f32 %x, %y; mov.f32 %x, 0f7F800000; mov.f32 %y, 0f00000000; mul.rn.f32 %x, %x, %y; mov.f32 %y, 0f3F800000; min.xorsign.abs.f32 %y, %x, %y; mov.b32 %o0, %y;",
               name, [("b32", [one] * THREADS)], opcode="min")
    suite.case(".reg .f32 %x; .reg .f64 %y; mov.f32 %x, 0fBF800000; sqrt.rn.f32 %x, %x; cvt.f64.f32 %y, %x; mov.b64 %o0, %y;", name, [("b64", [0x7FFFFFFFE0000000] * THREADS)], opcode="cvt")


def main():
    suite = Suite("float")
    suite.columns = {}
    prepare(suite)
    for part in (wide_arithmetic, sign_operations, kept_bits):
        part(suite)
    suite.write()
    for name, parts in (("half", (half_arithmetic,)), ("extreme", (extremes,)), ("float-compare", (compare_all,))):
        other = Suite(name)
        other.columns = {}
        prepare(other)
        for part in parts:
            part(other)
        other.inputs = {key: value for key, value in other.inputs.items() if any(case["inputs"] == key for case in other.cases)}
        other.write()


if __name__ == "__main__":
    main()
