"""Writes conformance.json: opcode by type by modifier with exact expectations, computed with integers and fractions only.

Usage: python conformance.py > conformance.json. The test runs each case through a small PTX kernel and compares bit by bit (NaNs as a class).
"""

import json
import random

import exact_floats as ef

LANES = 64
random.seed(20240607)
BITS = {"u8": 8, "s8": 8, "u16": 16, "s16": 16, "b16": 16, "u32": 32, "s32": 32, "b32": 32, "u64": 64, "s64": 64, "b64": 64,
        "f16": 16, "bf16": 16, "f32": 32, "f64": 64, "f16x2": 32, "bf16x2": 32, "pred": 1, "tf32": 32}
POOLS = {}
CASES = []


def integer_pool(bits):
    corners = [0, 1, 2, 3, (1 << bits) - 1, (1 << bits) - 2, 1 << (bits - 1), (1 << (bits - 1)) - 1, (1 << (bits - 1)) + 1, 0x55 % (1 << bits), 7, 10]
    values = [random.choice(corners) for _ in range(LANES // 2)]
    return values + [random.getrandbits(bits) >> random.randrange(bits) for _ in range(LANES // 2)]


def float_pool(name):
    precision, exponent_bits = ef.FORMATS[name]
    top = ef.special(name, 0, ef.INFINITY)
    one = ef.encode(name, ef.Fraction(1))
    corners = [0, 1, 2, 3, top, top - 1, top + (1 << (precision - 2)), 1 << (precision - 1), (1 << (precision - 1)) - 1, one, one + 1, one - 1,
               ef.encode(name, ef.Fraction(3, 2)), ef.encode(name, ef.Fraction(5, 2)), ef.encode(name, ef.Fraction(1, 3)), ef.encode(name, ef.Fraction(2) ** (precision // 2))]
    values = [random.choice(corners) | random.getrandbits(1) << (ef.width(name) - 1) for _ in range(LANES // 2)]
    near = [(one + random.randrange(-6, 7) * (1 << (precision - 1)) + random.getrandbits(precision - 1)) | random.getrandbits(1) << (ef.width(name) - 1) for _ in range(LANES // 4)]
    return values + near + [random.getrandbits(ef.width(name)) for _ in range(LANES // 4)]


def make_pools():
    for bits in (8, 16, 32, 64):
        for letter in "abc":
            POOLS[f"i{bits}.{letter}"] = integer_pool(bits)
    for name in ef.FORMATS:
        for letter in "abc":
            POOLS[f"{name}.{letter}"] = float_pool(name)
    for name in ("f16", "bf16"):
        for letter in "abc":
            low, high = float_pool(name), float_pool(name)
            POOLS[f"{name}x2.{letter}"] = [l | h << 16 for l, h in zip(low, high)]
    POOLS["amount.a"] = [random.choice([0, 1, 7, 15, 16, 31, 32, 33, 63, 64, 65, 255, 256, 0xffffffff]) for _ in range(LANES)]
    POOLS["amount.b"] = [random.randrange(0, 70) for _ in range(LANES)]
    POOLS["pred.a"] = [random.getrandbits(1) for _ in range(LANES)]


def pool_of(kind, letter):
    if kind in ("pred", "amount"):
        return f"{kind}.{letter}"
    return f"{kind}.{letter}" if kind.rstrip("x2") in ("f16", "bf16", "f32", "f64", "f", "bf") or kind in ef.FORMATS else f"i{BITS[kind]}.{letter}"


def to_signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) else value


def case(instruction, kinds, result, evaluate, tail="", pools=None):
    """Adds a case: operand types, result type, and a function from the operands' bits to the result's."""
    names = pools or [pool_of(kind, "abc"[index]) for index, kind in enumerate(kinds)]
    bits = BITS[result]
    expected = [evaluate(*[POOLS[name][lane] for name in names]) & ((1 << bits) - 1) for lane in range(LANES)]
    digits = max(1, bits // 4)
    CASES.append({"instruction": instruction, "operands": kinds, "pools": names, "result": result, "tail": tail,
                  "expected": "".join(format(value, f"0{digits}x") for value in expected)})


def integers():
    for bits in (16, 32, 64):
        for sign in "us":
            t = f"{sign}{bits}"
            val = (lambda v, b=bits: to_signed(v, b)) if sign == "s" else (lambda v: v)
            quotient = lambda a, b: (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1)
            case(f"add.{t}", [t, t], t, lambda a, b: a + b)
            case(f"sub.{t}", [t, t], t, lambda a, b: a - b)
            case(f"mul.lo.{t}", [t, t], t, lambda a, b: a * b)
            case(f"mul.hi.{t}", [t, t], t, lambda a, b, v=val, n=bits: v(a) * v(b) >> n)
            case(f"mad.lo.{t}", [t, t, t], t, lambda a, b, c: a * b + c)
            case(f"mad.hi.{t}", [t, t, t], t, lambda a, b, c, v=val, n=bits: (v(a) * v(b) >> n) + c)
            case(f"min.{t}", [t, t], t, lambda a, b, v=val: min(v(a), v(b)))
            case(f"max.{t}", [t, t], t, lambda a, b, v=val: max(v(a), v(b)))
            case(f"sad.{t}", [t, t, t], t, lambda a, b, c, v=val: c + abs(v(a) - v(b)))
            nonzero = [POOLS[pool_of(t, "a")], [value or 3 for value in POOLS[pool_of(t, "b")]]]
            POOLS[f"nonzero{bits}.b"] = nonzero[1]
            case(f"div.{t}", [t, t], t, lambda a, b, v=val: quotient(v(a), v(b)), pools=[pool_of(t, "a"), f"nonzero{bits}.b"])
            case(f"rem.{t}", [t, t], t, lambda a, b, v=val: v(a) - v(b) * quotient(v(a), v(b)), pools=[pool_of(t, "a"), f"nonzero{bits}.b"])
            shift = lambda a, n, v=val, w=bits: v(a) >> min(n, w)
            case(f"shr.{t}", [t, "b32"], t, shift, pools=[pool_of(t, "a"), "amount.a"])
            for name, test in {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
                               "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}.items():
                case(f"setp.{name}.{t}", [t, t], "pred", lambda a, b, f=test, v=val: int(f(v(a), v(b))))
            if bits < 64:
                case(f"mul.wide.{t}", [t, t], f"{sign}{2 * bits}", lambda a, b, v=val: v(a) * v(b))
                case(f"mad.wide.{t}", [t, t, f"{sign}{2 * bits}"], f"{sign}{2 * bits}", lambda a, b, c, v=val: v(a) * v(b) + c)
        case(f"abs.s{bits}", [f"s{bits}"], f"s{bits}", lambda a, n=bits: abs(to_signed(a, n)))
        case(f"neg.s{bits}", [f"s{bits}"], f"s{bits}", lambda a: -a)
        case(f"shl.b{bits}", [f"b{bits}", "b32"], f"b{bits}", lambda a, n: a << min(n, 64), pools=[pool_of(f"b{bits}", "a"), "amount.a"])
        for name, function in {"and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b}.items():
            case(f"{name}.b{bits}", [f"b{bits}", f"b{bits}"], f"b{bits}", function)
        case(f"not.b{bits}", [f"b{bits}"], f"b{bits}", lambda a: ~a)
        case(f"cnot.b{bits}", [f"b{bits}"], f"b{bits}", lambda a: int(a == 0))
    clamp = lambda v: max(-(1 << 31), min((1 << 31) - 1, v))
    case("add.sat.s32", ["s32", "s32"], "s32", lambda a, b: clamp(to_signed(a, 32) + to_signed(b, 32)))
    case("sub.sat.s32", ["s32", "s32"], "s32", lambda a, b: clamp(to_signed(a, 32) - to_signed(b, 32)))
    case("mad.hi.sat.s32", ["s32"] * 3, "s32", lambda a, b, c: clamp((to_signed(a, 32) * to_signed(b, 32) >> 32) + to_signed(c, 32)))


def low24(value, sign):
    return to_signed(value & 0xffffff, 24) if sign == "s" else value & 0xffffff


def bit_operations():
    for sign in "us":
        t = f"{sign}32"
        case(f"mul24.lo.{t}", [t, t], t, lambda a, b, s=sign: low24(a, s) * low24(b, s))
        case(f"mul24.hi.{t}", [t, t], t, lambda a, b, s=sign: low24(a, s) * low24(b, s) >> 16)
        case(f"mad24.lo.{t}", [t] * 3, t, lambda a, b, c, s=sign: low24(a, s) * low24(b, s) + c)
    for bits in (32, 64):
        t = f"b{bits}"
        case(f"popc.{t}", [t], "u32", lambda a: a.bit_count())
        case(f"clz.{t}", [t], "u32", lambda a, n=bits: n - a.bit_length())
        case(f"brev.{t}", [t], t, lambda a, n=bits: int(format(a, f"0{n}b")[::-1], 2))
        case(f"bfind.u{bits}", [t], "u32", lambda a: a.bit_length() - 1)
        case(f"bfind.s{bits}", [t], "u32", lambda a, n=bits: ((~a & ((1 << n) - 1)) if a >> (n - 1) else a).bit_length() - 1)
        case(f"bfind.shiftamt.u{bits}", [t], "u32", lambda a, n=bits: n - a.bit_length() if a else -1)
        pools = [pool_of(t, "a"), "amount.b", "amount.a"]
        case(f"bfe.u{bits}", [t, "u32", "u32"], t, lambda a, p, l, n=bits: (a >> (p & 255)) & ((1 << (l & 255)) - 1), pools=pools)
        case(f"bfe.s{bits}", [t, "u32", "u32"], t, lambda a, p, l, n=bits: signed_field(a, p & 255, l & 255, n), pools=pools)
        insert = lambda a, b, p, l, n=bits: (b & ~(((1 << (l & 255)) - 1) << (p & 255))) | ((a & ((1 << (l & 255)) - 1)) << (p & 255)) if (p & 255) < n else b
        case(f"bfi.{t}", [t, t, "u32", "u32"], t, insert, pools=[pool_of(t, "a"), pool_of(t, "b"), "amount.b", "amount.a"])
    for table in (0xe8, 0x96, 0xca, 0x01, 0x80, 0xf0, 0x3c, 0x69, 0xfe, 0x00, 0xff):
        truth = lambda a, b, c, k=table: sum(((k >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1))) & 1) << i for i in range(32))
        case("lop3.b32", ["b32"] * 3, "b32", truth, tail=f", {table}")
    case("prmt.b32", ["b32"] * 3, "b32", permute)
    for selection in (0x5410, 0x7632, 0x0123, 0x7654, 0x9898):
        case("prmt.b32", ["b32"] * 2, "b32", lambda a, b, s=selection: permute(a, b, s), tail=f", {selection}")
    both = lambda a, b: b << 32 | a
    for mode, count in {"clamp": lambda n: min(n, 32), "wrap": lambda n: n & 31}.items():
        pools = ["i32.a", "i32.b", "amount.a"]
        case(f"shf.l.{mode}.b32", ["b32"] * 3, "b32", lambda a, b, n, f=count: both(a, b) << f(n) >> 32, pools=pools)
        case(f"shf.r.{mode}.b32", ["b32"] * 3, "b32", lambda a, b, n, f=count: both(a, b) >> f(n), pools=pools)
    for first in "us":
        for second in "us":
            case(f"dp4a.{first}32.{second}32", ["b32"] * 3, "b32", lambda a, b, c, s=first, t=second: c + sum(piece(a, i, 8, s) * piece(b, i, 8, t) for i in range(4)))
            case(f"dp2a.hi.{first}32.{second}32", ["b32"] * 3, "b32", lambda a, b, c, s=first, t=second: c + sum(piece(a, i, 16, s) * piece(b, i + 2, 8, t) for i in range(2)))
    for t in ("b16", "b32", "b64", "f32", "f64"):
        kind = t if t not in ("f32", "f64") else "b" + t[1:]
        case(f"selp.{t}", [kind, kind, "pred"], kind, lambda a, b, p: a if p else b, pools=[pool_of(kind, "a"), pool_of(kind, "b"), "pred.a"])
    case("slct.b32.s32", ["b32"] * 3, "b32", lambda a, b, c: b if c >> 31 else a)


def piece(value, index, bits, sign):
    part = value >> (bits * index) & ((1 << bits) - 1)
    return to_signed(part, bits) if sign == "s" else part


def signed_field(value, position, length, bits):
    if length == 0:
        return 0
    sign = value >> min(position + length - 1, bits - 1) & 1
    field = value >> position & ((1 << length) - 1)
    kept = max(0, min(length, bits - position))
    return field | (-1 << kept if sign else 0)


def permute(a, b, selection):
    both = b << 32 | a
    result = 0
    for index in range(4):
        nibble = selection >> (4 * index) & 15
        byte = both >> (8 * (nibble & 7)) & 255
        result |= ((255 if byte >> 7 else 0) if nibble & 8 else byte) << (8 * index)
    return result


def flushing(name, function):
    return lambda *values: ef.flush(name, function(*[ef.flush(name, value) for value in values]))


def float_arithmetic():
    for name in ("f32", "f64"):
        binary = {"add": ef.add, "sub": lambda n, a, b, m: ef.add(n, a, ef.negate(n, b), m), "mul": ef.multiply, "div": ef.divide}
        for mode in ("rn", "rz", "rm", "rp"):
            for opcode, function in binary.items():
                case(f"{opcode}.{mode}.{name}", [name] * 2, name, lambda a, b, f=function, m=mode, n=name: subtract_nan(n, f(n, a, b, m), a, b))
            case(f"fma.{mode}.{name}", [name] * 3, name, lambda a, b, c, m=mode, n=name: ef.fma(n, a, b, c, m))
            case(f"sqrt.{mode}.{name}", [name], name, lambda a, m=mode, n=name: ef.square_root(n, a, m))
            case(f"rcp.{mode}.{name}", [name], name, lambda a, m=mode, n=name: ef.divide(n, ef.encode(n, ef.Fraction(1)), a, m))
        float_rest(name)
    case("add.ftz.f32", ["f32"] * 2, "f32", flushing("f32", lambda a, b: ef.add("f32", a, b)))
    case("mul.ftz.f32", ["f32"] * 2, "f32", flushing("f32", lambda a, b: ef.multiply("f32", a, b)))
    case("fma.rn.ftz.f32", ["f32"] * 3, "f32", flushing("f32", lambda a, b, c: ef.fma("f32", a, b, c)))
    case("add.sat.f32", ["f32"] * 2, "f32", lambda a, b: ef.saturate("f32", ef.add("f32", a, b)))
    case("fma.rn.sat.f32", ["f32"] * 3, "f32", lambda a, b, c: ef.saturate("f32", ef.fma("f32", a, b, c)))
    case("min.NaN.f32", ["f32"] * 2, "f32", lambda a, b: ef.extreme("f32", a, b, False, True))
    for name in ("f16", "bf16"):
        halves(name)


def subtract_nan(name, result, a, b):
    return result


def halves(name):
    plain = {
        f"add.rn.{name}": lambda a, b: ef.add(name, a, b), f"sub.rn.{name}": lambda a, b: ef.add(name, a, ef.negate(name, b)),
        f"mul.rn.{name}": lambda a, b: ef.multiply(name, a, b), f"min.{name}": lambda a, b: ef.extreme(name, a, b, False, False),
        f"max.{name}": lambda a, b: ef.extreme(name, a, b, True, False), f"max.NaN.{name}": lambda a, b: ef.extreme(name, a, b, True, True),
    }
    for instruction, function in plain.items():
        case(instruction, [name] * 2, name, function)
        packed = lambda a, b, f=function: f(a & 0xffff, b & 0xffff) | f(a >> 16, b >> 16) << 16
        case(f"{instruction}x2", [f"{name}x2"] * 2, f"{name}x2", packed)
    fma = lambda a, b, c: ef.fma(name, a, b, c)
    case(f"fma.rn.{name}", [name] * 3, name, fma)
    case(f"fma.rn.{name}x2", [f"{name}x2"] * 3, f"{name}x2", lambda a, b, c: fma(a & 0xffff, b & 0xffff, c & 0xffff) | fma(a >> 16, b >> 16, c >> 16) << 16)
    case(f"neg.{name}", [name], name, lambda a: ef.negate(name, a))
    case(f"abs.{name}", [name], name, lambda a: a & 0x7fff)
    if name == "f16":
        case("fma.rn.sat.f16", [name] * 3, name, lambda a, b, c: ef.saturate(name, fma(a, b, c)))
        case("add.ftz.f16", [name] * 2, name, flushing(name, lambda a, b: ef.add(name, a, b)))


def float_rest(name):
    for opcode, want_max in {"min": False, "max": True}.items():
        case(f"{opcode}.{name}", [name] * 2, name, lambda a, b, w=want_max, n=name: ef.extreme(n, a, b, w, False))
    case(f"abs.{name}", [name], name, lambda a, n=name: a & ((1 << (ef.width(n) - 1)) - 1))
    case(f"neg.{name}", [name], name, lambda a, n=name: ef.negate(n, a))
    top = 1 << (ef.width(name) - 1)
    case(f"copysign.{name}", [name] * 2, name, lambda a, b: (a & top) | (b & (top - 1)))
    value = lambda bits: None if ef.decode(name, bits)[1] == ef.NAN else ordering(name, bits)
    tests = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}
    for comparison, test in tests.items():
        ordered = lambda a, b, f=test: int(None not in (value(a), value(b)) and f(value(a), value(b)))
        unordered = lambda a, b, f=test: int(None in (value(a), value(b)) or f(value(a), value(b)))
        case(f"setp.{comparison}.{name}", [name] * 2, "pred", ordered)
        case(f"setp.{comparison}u.{name}", [name] * 2, "pred", unordered)
    case(f"setp.num.{name}", [name] * 2, "pred", lambda a, b: int(None not in (value(a), value(b))))
    case(f"setp.nan.{name}", [name] * 2, "pred", lambda a, b: int(None in (value(a), value(b))))
    for mode in ("rni", "rzi", "rmi", "rpi"):
        case(f"cvt.{mode}.{name}.{name}", [name], name, lambda a, m=mode, n=name: integral(n, a, m))


def ordering(name, bits):
    sign, magnitude = ef.decode(name, bits)
    return ef.signed(sign, ef.Fraction(2) ** 5000 if magnitude == ef.INFINITY else magnitude)


def integral(name, bits, mode):
    sign, magnitude = ef.decode(name, bits)
    if magnitude in (ef.NAN, ef.INFINITY):
        return ef.special(name, sign, magnitude)
    return ef.encode(name, ef.Fraction(ef.signed(sign, ef.round_fraction(magnitude, mode, bool(sign)))), "rn", sign)


def conversions():
    names = [f"{sign}{bits}" for bits in (8, 16, 32, 64) for sign in "us"]
    for source in names:
        value = lambda a, s=source: to_signed(a, BITS[s]) if s[0] == "s" else a
        for target in names:
            if source != target:
                case(f"cvt.{target}.{source}", [source], target, lambda a, v=value: v(a))
                bits, is_signed = BITS[target], target[0] == "s"
                least, most = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed else (0, (1 << bits) - 1)
                case(f"cvt.sat.{target}.{source}", [source], target, lambda a, v=value, l=least, m=most: max(l, min(m, v(a))))
        for target in ("f32", "f64"):
            case(f"cvt.rn.{target}.{source}", [source], target, lambda a, v=value, t=target: ef.encode(t, ef.Fraction(v(a))))
    for source in ("f32", "f64", "f16"):
        for target in names:
            for mode in ("rni", "rzi", "rmi", "rpi"):
                case(f"cvt.{mode}.{target}.{source}", [source], target, lambda a, s=source, t=target, m=mode: ef.to_integer(s, a, m, BITS[t], t[0] == "s"))
    for mode in ("rn", "rz", "rm", "rp"):
        case(f"cvt.{mode}.f32.f64", ["f64"], "f32", lambda a, m=mode: ef.convert("f64", "f32", a, m))
    for target in ("f16", "bf16"):
        for mode in ("rn", "rz"):
            case(f"cvt.{mode}.{target}.f32", ["f32"], target, lambda a, t=target, m=mode: ef.convert("f32", t, a, m))
            packed = lambda a, b, t=target, m=mode: ef.convert("f32", t, a, m) << 16 | ef.convert("f32", t, b, m)
            case(f"cvt.{mode}.{target}x2.f32", ["f32", "f32"], f"{target}x2", packed)
        case(f"cvt.f32.{target}", [target], "f32", lambda a, t=target: ef.convert(t, "f32", a))
    case("cvt.rn.f16.f64", ["f64"], "f16", lambda a: ef.convert("f64", "f16", a))
    case("cvt.f64.f32", ["f32"], "f64", lambda a: ef.convert("f32", "f64", a))
    case("cvt.f64.f16", ["f16"], "f64", lambda a: ef.convert("f16", "f64", a))
    case("cvt.rna.tf32.f32", ["f32"], "f32", tf32)


def tf32(bits):
    sign, magnitude = ef.decode("f32", bits)
    if magnitude in (ef.NAN, ef.INFINITY):
        return ef.special("f32", sign, magnitude)
    return (bits + 0x1000) & ~0x1fff


if __name__ == "__main__":
    make_pools()
    integers()
    bit_operations()
    float_arithmetic()
    conversions()
    used = sorted({name for entry in CASES for name in entry["pools"]})
    widths = {name: max(v.bit_length() for v in POOLS[name]) for name in used}
    pools = {name: "".join(format(value, f"0{16 if widths[name] > 32 else 8}x") for value in POOLS[name]) for name in used}
    print("{\n\"lanes\": 64,\n\"pools\": " + json.dumps(pools, indent=0) + ",\n\"cases\": [")
    print(",\n".join(json.dumps(entry) for entry in CASES))
    print("]\n}")
