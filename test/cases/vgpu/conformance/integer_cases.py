"""Integer arithmetic, bit fields, logic, shifts, comparisons and selections (PTX ISA sections 9.7.1, 9.7.2, 9.7.6, 9.7.8)."""

from cases import Suite, of_type, signed
from values import integers

ALL = ["u16", "s16", "u32", "s32", "u64", "s64"]


def container(kind):
    return f"b{int(kind[1:])}"


def prepare(suite):
    """Sets of one to three columns for each size."""
    for bits in (16, 32, 64):
        columns = [(f"b{bits}", integers(bits, seed)) for seed in "abc"]
        # Column b sometimes equals column a.
        columns[1][1][::7] = columns[0][1][::7]
        suite.input_set(f"i{bits}", *columns)
        suite.columns[bits] = [values for _, values in columns]
        counts = [value % (bits + 9) if index % 8 else value for index, value in enumerate(integers(32, f"counts{bits}"))]
        suite.input_set(f"shift{bits}", columns[0], ("b32", counts), ("b32", integers(32, f"lengths{bits}")))
        suite.counts[bits] = counts
    extend = [(f"b{2 * bits}", integers(2 * bits, "addend")) for bits in (16, 32)]
    for bits, column in zip((16, 32), extend):
        suite.input_set(f"wide{bits}", (f"b{bits}", suite.columns[bits][0]), (f"b{bits}", suite.columns[bits][1]), column)
        suite.addends[bits] = column[1]


def each(suite, kind, function, arity):
    """Applies a function of typed numbers to each lane."""
    bits = int(kind[1:])
    return [function(*(of_type(value, kind) for value in row)) for row in zip(*suite.columns[bits][:arity])]


def simple(suite, name, kind, function, arity):
    operands = ", ".join(["%o0", "%a", "%b", "%c"][:arity + 1])
    suite.case(f"{name}.{kind} {operands};", f"i{kind[1:]}", [(container(kind), each(suite, kind, function, arity))])


def quotient(a, b):
    """Truncated division; by zero and overflow are left to the guard in the snippet."""
    return 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a, b):
    return 0 if b == 0 else a - b * quotient(a, b)


def clamp(value, bits=32):
    return max(-(1 << (bits - 1)), min((1 << (bits - 1)) - 1, value))


def arithmetic(suite):
    for kind in ALL:
        bits = int(kind[1:])
        simple(suite, "add", kind, lambda a, b: a + b, 2)
        simple(suite, "sub", kind, lambda a, b: a - b, 2)
        simple(suite, "mul.lo", kind, lambda a, b: a * b, 2)
        simple(suite, "mul.hi", kind, lambda a, b: (a * b) >> bits, 2)
        simple(suite, "mad.lo", kind, lambda a, b, c: a * b + c, 3)
        simple(suite, "mad.hi", kind, lambda a, b, c: ((a * b) >> bits) + c, 3)
        simple(suite, "min", kind, min, 2)
        simple(suite, "max", kind, max, 2)
        simple(suite, "sad", kind, lambda a, b, c: c + abs(a - b), 3)
        for name, function in (("div", quotient), ("rem", remainder)):
            body = f"{name}.{kind} %o0, %a, %b; setp.eq.{kind} %p0, %b, 0; selp.b{bits} %o0, 0, %o0, %p0;"
            suite.case(body, f"i{bits}", [(container(kind), each(suite, kind, function, 2))])
        if kind[0] == "s":
            simple(suite, "abs", kind, abs, 1)
            simple(suite, "neg", kind, lambda a: -a, 1)
        if bits < 64:
            product = each(suite, kind, lambda a, b: a * b, 2)
            suite.case(f"mul.wide.{kind} %o0, %a, %b;", f"i{bits}", [(f"b{2 * bits}", product)])
            sums = [value + addend for value, addend in zip(product, suite.addends[bits])]
            suite.case(f"mad.wide.{kind} %o0, %a, %b, %c;", f"wide{bits}", [(f"b{2 * bits}", sums)])
    simple(suite, "add.sat", "s32", lambda a, b: clamp(a + b), 2)
    simple(suite, "sub.sat", "s32", lambda a, b: clamp(a - b), 2)
    simple(suite, "mad.hi.sat", "s32", lambda a, b, c: clamp(((a * b) >> 32) + c), 3)
    for kind in ("u32", "s32"):
        low = (lambda a: a & 0xFFFFFF) if kind == "u32" else (lambda a: signed(a, 24))
        for part, take in (("lo", lambda product: product), ("hi", lambda product: product >> 16)):
            simple(suite, f"mul24.{part}", kind, lambda a, b: take(low(a) * low(b)), 2)
            simple(suite, f"mad24.{part}", kind, lambda a, b, c: take(low(a) * low(b)) + c, 3)
    simple(suite, "mad24.hi.sat", "s32", lambda a, b, c: clamp(((signed(a, 24) * signed(b, 24)) >> 16) + c), 3)


def carries(suite):
    """Chains through the condition code (PTX ISA section 9.7.2)."""
    for bits, kinds in ((32, ("u32", "s32")), (64, ("u64", "s64"))):
        mask = (1 << bits) - 1
        a, b, c = suite.columns[bits]
        for kind in kinds:
            low = [(x + y) & mask for x, y in zip(a, b)]
            carry = [(x + y) >> bits for x, y in zip(a, b)]
            high = [x + y + k for x, y, k in zip(b, c, carry)]
            top = [h >> bits for h in high]
            suite.case(f"add.cc.{kind} %o0, %a, %b; addc.cc.{kind} %o1, %b, %c; addc.{kind} %o2, %a, 0;", f"i{bits}",
                       [(f"b{bits}", low), (f"b{bits}", high), (f"b{bits}", [x + k for x, k in zip(a, top)])])
            borrow = [int(x < y) for x, y in zip(a, b)]
            high = [x - y - k for x, y, k in zip(b, c, borrow)]
            suite.case(f"sub.cc.{kind} %o0, %a, %b; subc.cc.{kind} %o1, %b, %c; subc.{kind} %o2, %a, 0;", f"i{bits}",
                       [(f"b{bits}", [x - y for x, y in zip(a, b)]), (f"b{bits}", high), (f"b{bits}", [x - int(h < 0) for x, h in zip(a, high)])])
            for part in ("lo", "hi"):
                products = [of_type(x, kind) * of_type(y, kind) >> (bits if part == "hi" else 0) & mask for x, y in zip(a, b)]
                carry = [(p + z) >> bits for p, z in zip(products, c)]
                after = [p + x + k for p, x, k in zip(products, a, carry)]
                suite.case(f"mad.{part}.cc.{kind} %o0, %a, %b, %c; madc.{part}.cc.{kind} %o1, %a, %b, %a; madc.{part}.{kind} %o2, %a, %b, 0;", f"i{bits}",
                           [(f"b{bits}", [p + z for p, z in zip(products, c)]), (f"b{bits}", after), (f"b{bits}", [p + (s >> bits) for p, s in zip(products, after)])])


def find(value, bits, is_signed):
    """Position of the most significant bit that is not a copy of the sign; all ones when there is none."""
    if is_signed and value >> (bits - 1):
        value ^= (1 << bits) - 1
    return value.bit_length() - 1


def counts(suite):
    for bits in (32, 64):
        a = suite.columns[bits][0]
        name = f"i{bits}"
        suite.case(f"popc.b{bits} %o0, %a;", name, [("b32", [value.bit_count() for value in a])])
        suite.case(f"clz.b{bits} %o0, %a;", name, [("b32", [bits - value.bit_length() for value in a])])
        suite.case(f"brev.b{bits} %o0, %a;", name, [(f"b{bits}", [int(f"{value:0{bits}b}"[::-1], 2) for value in a])])
        for kind in (f"u{bits}", f"s{bits}"):
            found = [find(value, bits, kind[0] == "s") for value in a]
            suite.case(f"bfind.{kind} %o0, %a;", name, [("b32", found)])
            suite.case(f"bfind.shiftamt.{kind} %o0, %a;", name, [("b32", [value if value < 0 else bits - 1 - value for value in found])])


def extract(value, position, length, kind):
    """bfe as PTX ISA section 9.7.1.19 spells it."""
    bits = int(kind[1:])
    most = bits - 1
    position, length = position & 255, length & 255
    if kind[0] == "u" or length == 0:
        sign = 0
    else:
        sign = value >> min(position + length - 1, most) & 1
    result = 0
    for index in range(bits):
        bit = value >> (position + index) & 1 if index < length and position + index <= most else sign
        result |= bit << index
    return result


def insert(value, into, position, length, bits):
    result = into
    for index in range(length & 255):
        at = (position & 255) + index
        if at < bits:
            result = result & ~(1 << at) | (value >> index & 1) << at
    return result


def fields(suite):
    for bits in (32, 64):
        a, b, _ = suite.columns[bits]
        positions = [value % (bits + 9) if index % 5 else value for index, value in enumerate(integers(32, "positions"))]
        lengths = [value % (bits + 9) if index % 6 else value for index, value in enumerate(integers(32, "lengths"))]
        name = suite.input_set(f"field{bits}", (f"b{bits}", a), (f"b{bits}", b), ("b32", positions), ("b32", lengths))
        for kind in (f"u{bits}", f"s{bits}"):
            suite.case(f"bfe.{kind} %o0, %a, %c, %d;", name, [(f"b{bits}", [extract(*row, kind) for row in zip(a, positions, lengths)])])
        suite.case(f"bfi.b{bits} %o0, %a, %b, %c, %d;", name, [(f"b{bits}", [insert(*row, bits) for row in zip(a, b, positions, lengths)])])
        suite.case(f"bfe.u{bits} %o0, %a, 3, 7; bfi.b{bits} %o1, %a, %b, {bits - 4}, 9;", name,
                   [(f"b{bits}", [value >> 3 & 127 for value in a]), (f"b{bits}", [insert(x, y, bits - 4, 9, bits) for x, y in zip(a, b)])])


def mask_of(position, length, mode):
    """bmsk as PTX ISA section 9.7.1.21 spells it."""
    position, length = (position & 31, length & 31) if mode == "wrap" else (position, length)
    if position > 31 or length == 0:
        return 0
    return ((1 << min(length, 32)) - 1) << position & 0xFFFFFFFF


def extend(value, length, mode, kind):
    """szext as PTX ISA section 9.7.1.20 spells it."""
    length = length & 31 if mode == "wrap" else min(length, 32)
    if length == 0:
        return 0
    low = value & ((1 << length) - 1)
    return signed(low, length) if kind == "s32" else low


def nth(mask, base, offset):
    """fns as PTX ISA section 9.7.1.17 spells it."""
    offset = signed(offset, 32)
    position = base
    if offset == 0:
        return base if mask >> base & 1 else 0xFFFFFFFF
    step, remaining = (1, offset - 1) if offset > 0 else (-1, -offset - 1)
    while 0 <= position < 32:
        if mask >> position & 1:
            if remaining == 0:
                return position
            remaining -= 1
        position += step
    return 0xFFFFFFFF


def masks(suite):
    a, b, _ = suite.columns[32]
    positions, lengths = suite.counts[32], [value % 41 for value in integers(32, "mask lengths")]
    name = suite.input_set("masks", ("b32", a), ("b32", positions), ("b32", lengths))
    for mode in ("clamp", "wrap"):
        suite.case(f"bmsk.{mode}.b32 %o0, %b, %c;", name, [("b32", [mask_of(*row, mode) for row in zip(positions, lengths)])])
        for kind in ("u32", "s32"):
            suite.case(f"szext.{mode}.{kind} %o0, %a, %c;", name, [("b32", [extend(*row, mode, kind) for row in zip(a, lengths)])])
    bases, offsets = [value % 32 for value in b], [value % 9 - 4 for value in integers(32, "offsets")]
    name = suite.input_set("nth", ("b32", a), ("b32", bases), ("b32", offsets))
    suite.case("fns.b32 %o0, %a, %b, %c;", name, [("b32", [nth(*row) for row in zip(a, bases, [value & 0xFFFFFFFF for value in offsets])])])


def main():
    suite = Suite("integer")
    suite.columns, suite.counts, suite.addends = {}, {}, {}
    prepare(suite)
    for part in (arithmetic, carries, counts, fields, masks):
        part(suite)
    suite.write()


if __name__ == "__main__":
    main()
