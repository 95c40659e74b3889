"""Logic, shifts, permutations, dot products, packed 16-bit integers, moves and selections (PTX ISA sections 9.7.1, 9.7.6, 9.7.8, 9.7.9)."""

import struct

from cases import Suite, of_type, signed
from values import floats, integers, F32, F64

FULL = 0xFFFFFFFF


def prepare(suite):
    for bits in (16, 32, 64):
        suite.columns[bits] = [integers(bits, f"logic/{seed}") for seed in "abc"]
        suite.input_set(f"i{bits}", *((f"b{bits}", column) for column in suite.columns[bits]))
        amounts = [value % (bits + 20) if index % 6 else value for index, value in enumerate(integers(32, f"amounts{bits}"))]
        suite.amounts[bits] = amounts
        suite.input_set(f"shift{bits}", (f"b{bits}", suite.columns[bits][0]), ("b32", amounts))


def bitwise(suite):
    functions = {"and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b}
    for bits in (16, 32, 64):
        a, b, _ = suite.columns[bits]
        for name, function in functions.items():
            suite.case(f"{name}.b{bits} %o0, %a, %b;", f"i{bits}", [(f"b{bits}", list(map(function, a, b)))])
        suite.case(f"not.b{bits} %o0, %a;", f"i{bits}", [(f"b{bits}", [~value for value in a])])
        suite.case(f"cnot.b{bits} %o0, %a;", f"i{bits}", [(f"b{bits}", [int(value == 0) for value in a])])
    a, b, c = suite.columns[32]
    odd = [[value & 1 for value in column] for column in (a, b)]
    head = "and.b32 %t0, %a, 1; setp.ne.u32 %p0, %t0, 0; and.b32 %t1, %b, 1; setp.ne.u32 %p1, %t1, 0; "
    for name, function in functions.items():
        suite.case(f"{head}{name}.pred %p2, %p0, %p1; selp.b32 %o0, 7, 9, %p2;", "i32",
                   [("b32", [7 if function(x, y) else 9 for x, y in zip(*odd)])], opcode=name)
    suite.case(head + "not.pred %p2, %p0; selp.b32 %o0, 7, 9, %p2;", "i32", [("b32", [9 if x else 7 for x in odd[0]])], opcode="not")
    suite.case(head + "mov.pred %p2, %p0; selp.b32 %o0, 7, 9, %p2;", "i32", [("b32", [7 if x else 9 for x in odd[0]])], opcode="mov")
    suite.case(head + "mov.u32 %o0, 5; @%p0 add.u32 %o0, %a, %b; @!%p1 xor.b32 %o0, %o0, %c;", "i32",
               [("b32", [((x + y) & FULL if x & 1 else 5) ^ (0 if y & 1 else z) for x, y, z in zip(a, b, c)])], opcode="guard")


def table_of(x, y, z, table):
    result = 0
    for bit in range(32):
        index = (x >> bit & 1) << 2 | (y >> bit & 1) << 1 | z >> bit & 1
        result |= (table >> index & 1) << bit
    return result


def tables(suite):
    """All 256 truth tables, eight a case."""
    columns = suite.columns[32]
    for first in range(0, 256, 8):
        body = " ".join(f"lop3.b32 %o{index}, %a, %b, %c, {first + index};" for index in range(8))
        suite.case(body, "i32short", [("b32", [table_of(*row, first + index) for row in zip(*(column[:16] for column in columns))]) for index in range(8)])


def shifts(suite):
    for bits in (16, 32, 64):
        a, amounts = suite.columns[bits][0], suite.amounts[bits]
        left = [value << min(amount, bits) for value, amount in zip(a, amounts)]
        suite.case(f"shl.b{bits} %o0, %a, %b;", f"shift{bits}", [(f"b{bits}", left)])
        for letter in "bus":
            right = [of_type(value, f"{letter}{bits}") >> min(amount, bits) for value, amount in zip(a, amounts)]
            suite.case(f"shr.{letter}{bits} %o0, %a, %b;", f"shift{bits}", [(f"b{bits}", right)])
        for amount in (0, 1, bits - 1, bits, bits + 5):
            suite.case(f"shl.b{bits} %o0, %a, {amount}; shr.u{bits} %o1, %a, {amount}; shr.s{bits} %o2, %a, {amount};", f"shift{bits}",
                       [(f"b{bits}", [value << amount for value in a]), (f"b{bits}", [value >> amount for value in a]),
                        (f"b{bits}", [signed(value, bits) >> amount for value in a])])
    a, b, _ = suite.columns[32]
    amounts = suite.amounts[32]
    name = suite.input_set("funnel", ("b32", a), ("b32", b), ("b32", amounts))
    for mode, limit in (("clamp", lambda n: min(n, 32)), ("wrap", lambda n: n & 31)):
        both = [(y << 32 | x, limit(n)) for x, y, n in zip(a, b, amounts)]
        suite.case(f"shf.l.{mode}.b32 %o0, %a, %b, %c;", name, [("b32", [value << n >> 32 for value, n in both])])
        suite.case(f"shf.r.{mode}.b32 %o0, %a, %b, %c;", name, [("b32", [value >> n for value, n in both])])


def permuted(a, b, selector, mode=""):
    """prmt as PTX ISA section 9.7.9.7 lists its modes."""
    data = (b << 32 | a).to_bytes(8, "little")
    control = selector & 3
    choices = {
        "f4e": [control + index for index in range(4)], "b4e": [(control - index) % 8 for index in range(4)],
        "rc8": [control] * 4, "ecl": [max(index, control) for index in range(4)], "ecr": [min(index, control) for index in range(4)],
        "rc16": [2 * (control & 1), 2 * (control & 1) + 1] * 2,
    }
    if mode:
        return int.from_bytes(bytes(data[index] for index in choices[mode]), "little")
    result = 0
    for index in range(4):
        nibble = selector >> (4 * index) & 15
        byte = data[nibble & 7]
        if nibble & 8:
            byte = 255 if byte & 128 else 0
        result |= byte << (8 * index)
    return result


def permutations(suite):
    a, b, c = suite.columns[32]
    for mode in ("", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"):
        suite.case(f"prmt.b32{'.' + mode if mode else ''} %o0, %a, %b, %c;", "i32", [("b32", [permuted(x, y, z, mode) for x, y, z in zip(a, b, c)])])
    for selector in (0x3210, 0x7654, 0x5410, 0x7632, 0x0123, 0xBA98, 0xFEDC, 0x4440):
        suite.case(f"prmt.b32 %o0, %a, %b, 0x{selector:x};", "i32", [("b32", [permuted(x, y, selector) for x, y in zip(a, b)])])


def dots(suite):
    for first in ("u32", "s32"):
        for second in ("u32", "s32"):
            def byte(value, kind, index, bits=8):
                return of_type(value >> (bits * index) & ((1 << bits) - 1), f"{kind[0]}{bits}")
            rows = list(zip(*suite.columns[32]))
            four = [z + sum(byte(x, first, i) * byte(y, second, i) for i in range(4)) for x, y, z in rows]
            suite.case(f"dp4a.{first}.{second} %o0, %a, %b, %c;", "i32", [("b32", four)])
            for part, base in (("lo", 0), ("hi", 2)):
                two = [z + sum(byte(x, first, i, 16) * byte(y, second, base + i) for i in range(2)) for x, y, z in rows]
                suite.case(f"dp2a.{part}.{first}.{second} %o0, %a, %b, %c;", "i32", [("b32", two)])


def packed(suite):
    """add, min, max on two 16-bit integers."""
    functions = {"add": lambda a, b: a + b, "min": min, "max": max}
    for name, function in functions.items():
        for kind in ("u16", "s16"):
            def halves(x, y):
                return sum((function(of_type(x >> at, kind), of_type(y >> at, kind)) & 0xFFFF) << at for at in (0, 16))
            suite.case(f"{name}.{kind}x2 %o0, %a, %b;", "i32", [("b32", [halves(x, y) for x, y in zip(*suite.columns[32][:2])])])


def moves(suite):
    a64, a32 = suite.columns[64][0], suite.columns[32][0]
    for kind in ("b16", "u16", "s16", "f16", "bf16"):
        suite.case(f"mov.{kind} %o0, %a;" if kind[0] in "bus" and kind != "bf16" else f"mov.b16 %o0, %a;", "i16", [("b16", suite.columns[16][0])])
    for kind in ("b32", "u32", "s32"):
        suite.case(f"mov.{kind} %o0, %a;", "i32", [("b32", a32)])
    suite.case(".reg .f32 %x; mov.b32 %x, %a; mov.f32 %x, %x; mov.b32 %o0, %x;", "i32", [("b32", a32)], opcode="mov")
    for kind in ("b64", "u64", "s64"):
        suite.case(f"mov.{kind} %o0, %a;", "i64", [("b64", a64)])
    suite.case(".reg .f64 %x; mov.b64 %x, %a; mov.f64 %x, %x; mov.b64 %o0, %x;", "i64", [("b64", a64)], opcode="mov")
    suite.case("mov.b64 {%o0, %o1}, %a;", "i64", [("b32", [value & FULL for value in a64]), ("b32", [value >> 32 for value in a64])])
    suite.case("mov.b32 {%o0, %o1}, %a;", "i32", [("b16", [value & 0xFFFF for value in a32]), ("b16", [value >> 16 for value in a32])])
    suite.case("mov.b64 {%o0, %o1, %o2, %o3}, %a;", "i64", [("b16", [value >> at & 0xFFFF for value in a64]) for at in (0, 16, 32, 48)])
    suite.case("mov.b64 %o0, {%a, %b};", "i32", [("b64", [y << 32 | x for x, y in zip(*suite.columns[32][:2])])])
    suite.case("mov.b32 %o0, {%a, %b};", "i16", [("b32", [y << 16 | x for x, y in zip(*suite.columns[16][:2])])])
    suite.case("mov.b64 %o0, {%a, %b, %c, %a};", "i16", [("b64", [x << 48 | z << 32 | y << 16 | x for x, y, z in zip(*suite.columns[16])])])
    suite.case("mov.b64 {_, %o0}, %a; mov.b64 {%o1, _}, %a;", "i64", [("b32", [value >> 32 for value in a64]), ("b32", [value & FULL for value in a64])])


def selections(suite):
    """selp, slct."""
    for bits in (16, 32, 64):
        a, b, _ = suite.columns[bits]
        sign = floats(F32, f"sign{bits}")
        name = suite.input_set(f"select{bits}", (f"b{bits}", a), (f"b{bits}", b), ("b32", sign))
        kinds = [letter + str(bits) for letter in ("bus" if bits == 16 else "busf")]
        for kind in kinds:
            register = f".reg .f{bits} %x, %y; mov.b{bits} %x, %a; mov.b{bits} %y, %b; " if kind[0] == "f" else ""
            x, y, out = ("%x", "%y", "%x") if register else ("%a", "%b", "%o0")
            tail = f" mov.b{bits} %o0, %x;" if register else ""
            suite.case(f"setp.lt.s32 %p0, %c, 0; {register}selp.{kind} {out}, {x}, {y}, %p0;{tail}", name,
                       [(f"b{bits}", [p if s >> 31 else q for p, q, s in zip(a, b, sign)])], opcode="selp")
            suite.case(f"{register}slct.{kind}.s32 {out}, {x}, {y}, %c;{tail}", name, [(f"b{bits}", [q if s >> 31 else p for p, q, s in zip(a, b, sign)])], opcode="slct")
            value = [struct.unpack("<f", struct.pack("<I", s))[0] for s in sign]
            suite.case(f".reg .f32 %z; mov.b32 %z, %c; {register}slct.{kind}.f32 {out}, {x}, {y}, %z;{tail}", name,
                       [(f"b{bits}", [p if s >= 0 else q for p, q, s in zip(a, b, value)])], opcode="slct")
            flushed = [0.0 if s & 0x7F800000 == 0 else v for s, v in zip(sign, value)]
            suite.case(f".reg .f32 %z; mov.b32 %z, %c; {register}slct.ftz.{kind}.f32 {out}, {x}, {y}, %z;{tail}", name,
                       [(f"b{bits}", [p if s >= 0 else q for p, q, s in zip(a, b, flushed)])], opcode="slct")


def signs(suite):
    """copysign, testp."""
    for format in (F32, F64):
        bits = format.bits
        a, b = floats(format, "sign"), floats(format, "magnitude")
        name = suite.input_set(f"signs{bits}", (f"b{bits}", a), (f"b{bits}", b))
        suite.case(f"copysign.f{bits} %o0, %a, %b;", name, [(f"b{bits}", [x & format.sign | y & (format.sign - 1) for x, y in zip(a, b)])])
        tests = {
            "finite": lambda m: m < format.infinity, "infinite": lambda m: m == format.infinity, "number": lambda m: m <= format.infinity,
            "notanumber": lambda m: m > format.infinity, "normal": lambda m: m == 0 or format.smallest_normal <= m < format.infinity,
            "subnormal": lambda m: 0 < m < format.smallest_normal,
        }
        for test, holds in tests.items():
            suite.case(f"testp.{test}.f{bits} %p0, %a; selp.b32 %o0, 1, 0, %p0;", name, [("b32", [int(holds(x & (format.sign - 1))) for x in a])])


def main():
    suite = Suite("logic")
    suite.columns, suite.amounts = {}, {}
    prepare(suite)
    suite.input_set("i32short", *(("b32", column[:16]) for column in suite.columns[32]))
    for part in (bitwise, tables, shifts, permutations, dots, packed, moves, selections, signs):
        part(suite)
    suite.write()


if __name__ == "__main__":
    main()
