"""ldmatrix and mma.sync (PTX ISA section 9.7.14.5). Matrices hold small integers and binary fractions, so that every order of adding gives one answer."""

import random
from fractions import Fraction

from cases import Suite
from formats import BF16, F16, F32, TF32, encode, exact

LANES = range(32)


def positions(shape, kind):
    """(row, column) of each element of the fragments of A, B and C of a lane, in the order of the registers."""
    k = int(shape.split("k")[1])
    per_register = {"tf32": 1, "f16": 2, "bf16": 2, "s8": 4, "u8": 4}[kind]
    span = 4 * per_register

    def a(lane):
        group, thread = divmod(lane, 4)
        return [(group + 8 * half, block + thread * per_register + index) for block in range(0, k, span) for half in (0, 1) for index in range(per_register)]

    def b(lane):
        group, thread = divmod(lane, 4)
        return [(block + thread * per_register + index, group) for block in range(0, k, span) for index in range(per_register)]

    def c(lane):
        group, thread = divmod(lane, 4)
        return [(group + 8 * half, 2 * thread + index) for half in (0, 1) for index in (0, 1)]

    return a, b, c, per_register


def registers(values, per_register):
    """Elements to 32-bit words, the first in the low bits."""
    width = 32 // per_register
    return [sum((value & ((1 << width) - 1)) << (width * index) for index, value in enumerate(values[at:at + per_register])) for at in range(0, len(values), per_register)]


def bits_of(value, kind):
    if kind in ("s8", "u8", "s32"):
        return int(value)
    if kind == "tf32":
        return encode(exact(value), TF32) << 13 if value else 0
    return encode(exact(value), {"f16": F16, "bf16": BF16, "f32": F32}[kind]) if value else 0


def choose(source, kind):
    if kind == "s8":
        return source.choice([-128, 127, source.randint(-128, 127)])
    if kind == "u8":
        return source.choice([0, 255, source.randint(0, 255)])
    return Fraction(source.randint(-8, 8), 4)


def multiply(suite, shape, d, a, b, c, saturate=""):
    source = random.Random(f"{shape}/{d}/{a}/{b}/{c}/{saturate}")
    k = int(shape.split("k")[1])
    left = [[choose(source, a) for _ in range(k)] for _ in range(16)]
    right = [[choose(source, b) for _ in range(8)] for _ in range(k)]
    start = (lambda: source.choice([2**31 - 1, -(2**31), source.randint(-10**6, 10**6)])) if c == "s32" else (lambda: Fraction(source.randint(-40, 40), 8))
    addend = [[start() for _ in range(8)] for _ in range(16)]
    result = [[addend[i][j] + sum(left[i][x] * right[x][j] for x in range(k)) for j in range(8)] for i in range(16)]
    if saturate:
        result = [[max(-(2**31), min(2**31 - 1, value)) for value in row] for row in result]
    of_a, of_b, of_c, per_register = positions(shape, a)
    outer = {"f16": 2}.get(c, 1)
    outer_d = {"f16": 2}.get(d, 1)
    words, expected = [], []
    for lane in LANES:
        words.append(registers([bits_of(left[i][x], a) for i, x in of_a(lane)], per_register) + registers([bits_of(right[x][j], b) for x, j in of_b(lane)], per_register)
                     + registers([bits_of(addend[i][j], c) for i, j in of_c(lane)], outer))
        expected.append(registers([bits_of(result[i][j], d) for i, j in of_c(lane)], outer_d))
    counts = [len(of_a(0)) // per_register, len(of_b(0)) // per_register, 4 // outer]
    names = [f"%t{2 + index}" for index in range(sum(counts))]
    loads = " ".join(f"ld.global.b32 {name}, [%w0+{4 * index}];" for index, name in enumerate(names))
    groups, at = [], 0
    for count in counts:
        groups.append("{" + ", ".join(names[at:at + count]) + "}")
        at += count
    results = "{" + ", ".join(f"%o{index}" for index in range(4 // outer_d)) + "}"
    text = ".".join(filter(None, ["mma.sync.aligned", shape, "row.col", saturate, d, a, b, c]))
    column = {"type": "b32", "values": " ".join(f"{word & 0xFFFFFFFF:x}" for row in words for word in row)}
    suite.case(f"mad.wide.u32 %w0, %lane, {4 * sum(counts)}, %mem; {loads} {text} {results}, {', '.join(groups)};", suite.input_set("none"),
               [("b32", [row[index] for row in expected]) for index in range(4 // outer_d)], memory={"before": column, "after": column}, opcode=f"mma {shape} {a}")


def products(suite):
    for shape in ("m16n8k8", "m16n8k16"):
        multiply(suite, shape, "f32", "bf16", "bf16", "f32")
        for d in ("f32", "f16"):
            multiply(suite, shape, d, "f16", "f16", d)
    for shape in ("m16n8k4", "m16n8k8"):
        multiply(suite, shape, "f32", "tf32", "tf32", "f32")
    for shape in ("m16n8k16", "m16n8k32"):
        for a in ("s8", "u8"):
            for b in ("s8", "u8"):
                for saturate in ("", "satfinite"):
                    multiply(suite, shape, "s32", a, b, "s32", saturate)


def loads(suite):
    """Rows are given by the first lanes, in an order of their own; `.trans` swaps rows and columns."""
    source = random.Random("ldmatrix")
    elements = [source.getrandbits(16) for _ in range(32 * 8)]
    column = {"type": "b16", "values": " ".join(f"{value:x}" for value in elements)}
    order = [(7 * lane + 3) % 32 for lane in LANES]
    fill = "mov.u32 %t2, tile; mad.lo.u32 %t3, %lane, 16, %t2; mad.wide.u32 %w0, %lane, 16, %mem; ld.global.v4.b32 {%t4, %t5, %t6, %t7}, [%w0]; st.shared.v4.b32 [%t3], {%t4, %t5, %t6, %t7}; bar.sync 0; "
    fill += "mad.lo.u32 %t3, %lane, 7, 3; and.b32 %t3, %t3, 31; mad.lo.u32 %t3, %t3, 16, %t2; "
    rows = [elements[8 * row:8 * row + 8] for row in order]
    for count in (1, 2, 4):
        for transpose in (False, True):
            for space in (".shared", ".shared::cta", ""):
                columns = []
                for matrix in range(count):
                    held = rows[8 * matrix:8 * matrix + 8]
                    pick = (lambda i, j: held[j][i]) if transpose else (lambda i, j: held[i][j])
                    columns.append(("b32", [pick(lane // 4, 2 * (lane % 4)) | pick(lane // 4, 2 * (lane % 4) + 1) << 16 for lane in LANES]))
                names = ", ".join(f"%o{index}" for index in range(count))
                address = "[%t3]" if space else "[%w1]"
                generic = "" if space else "cvt.u64.u32 %w1, %t3; cvta.shared.u64 %w1, %w1; "
                text = f"ldmatrix.sync.aligned.m8n8.x{count}{'.trans' if transpose else ''}{space}.b16"
                suite.case(f"{fill}{generic}{text} {{{names}}}, {address};", suite.input_set("none"), columns, memory={"before": column, "after": column},
                           declare=".shared .align 16 .b8 tile[512];", opcode="ldmatrix")


def main():
    suite = Suite("matrix")
    for part in (products, loads):
        part(suite)
    suite.write()


if __name__ == "__main__":
    main()
