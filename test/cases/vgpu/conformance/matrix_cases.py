"""ldmatrix and mma.sync (PTX ISA section 9.7.14.5). Matrices hold small integers and binary fractions, so that every order of adding gives one answer."""

import random
from fractions import Fraction

from cases import Suite
from formats import BF16, F16, F32, F64, TF32, encode, exact
from small_float_cases import E4M3, E5M2, to_small

LANES = range(32)


PER_REGISTER = {"tf32": 1, "f16": 2, "bf16": 2, "s8": 4, "u8": 4, "e4m3": 4, "e5m2": 4, "s4": 8, "u4": 8, "b1": 32, "f64": 1}


def positions(shape, kind):
    """(row, column) of each element of the fragments of A, B and C of a lane, in the order of the registers."""
    k = int(shape.split("k")[1])
    halves = (0, 1) if shape.startswith("m16") else (0,)
    per_register = PER_REGISTER[kind]
    span = 4 * per_register

    def a(lane):
        group, thread = divmod(lane, 4)
        return [(group + 8 * half, block + thread * per_register + index) for block in range(0, k, span) for half in halves for index in range(per_register)]

    def b(lane):
        group, thread = divmod(lane, 4)
        return [(block + thread * per_register + index, group) for block in range(0, k, span) for index in range(per_register)]

    def c(lane):
        group, thread = divmod(lane, 4)
        return [(group + 8 * half, 2 * thread + index) for half in halves for index in (0, 1)]

    return a, b, c, per_register


def registers(values, per_register, size=32):
    """Elements to words, the first in the low bits."""
    width = size // per_register
    return [sum((value & ((1 << width) - 1)) << (width * index) for index, value in enumerate(values[at:at + per_register])) for at in range(0, len(values), per_register)]


def bits_of(value, kind):
    if kind in ("s8", "u8", "s4", "u4", "b1", "s32"):
        return int(value)
    if kind in ("e4m3", "e5m2"):
        return to_small(exact(value), {"e4m3": E4M3, "e5m2": E5M2}[kind], False) if value else 0
    if kind == "tf32":
        return encode(exact(value), TF32) << 13 if value else 0
    return encode(exact(value), {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}[kind]) if value else 0


def choose(source, kind):
    if kind == "s8":
        return source.choice([-128, 127, source.randint(-128, 127)])
    if kind == "u8":
        return source.choice([0, 255, source.randint(0, 255)])
    if kind in ("s4", "u4", "b1"):
        return source.randint(*{"s4": (-8, 7), "u4": (0, 15), "b1": (0, 1)}[kind])
    return Fraction(source.randint(-8, 8), 4)


def multiply(suite, shape, d, a, b, c, saturate="", bits=""):
    source = random.Random(f"{shape}/{d}/{a}/{b}/{c}/{saturate}{bits}")
    k = int(shape.split("k")[1])
    rows = int(shape[1:].split("n")[0])
    left = [[choose(source, a) for _ in range(k)] for _ in range(rows)]
    right = [[choose(source, b) for _ in range(8)] for _ in range(k)]
    start = (lambda: source.choice([2**31 - 1, -(2**31), source.randint(-10**6, 10**6)])) if c == "s32" else (lambda: Fraction(source.randint(-40, 40), 8))
    addend = [[start() for _ in range(8)] for _ in range(rows)]
    product = {"": lambda x, y: x * y, "xor": lambda x, y: x ^ y, "and": lambda x, y: x & y}[bits]
    result = [[addend[i][j] + sum(product(left[i][x], right[x][j]) for x in range(k)) for j in range(8)] for i in range(rows)]
    if saturate:
        result = [[max(-(2**31), min(2**31 - 1, value)) for value in row] for row in result]
    of_a, of_b, of_c, per_register = positions(shape, a)
    outer = {"f16": 2}.get(c, 1)
    outer_d = {"f16": 2}.get(d, 1)
    size = 64 if d == "f64" else 32
    words, expected = [], []
    for lane in LANES:
        words.append(registers([bits_of(left[i][x], a) for i, x in of_a(lane)], per_register, size) + registers([bits_of(right[x][j], b) for x, j in of_b(lane)], per_register, size)
                     + registers([bits_of(addend[i][j], c) for i, j in of_c(lane)], outer, size))
        expected.append(registers([bits_of(result[i][j], d) for i, j in of_c(lane)], outer_d, size))
    held = len(of_c(0))
    counts = [len(of_a(0)) // per_register, len(of_b(0)) // per_register, held // outer]
    names = [f"%w{1 + index}" if size == 64 else f"%t{2 + index}" for index in range(sum(counts))]
    # The address itself lies in the last register that is loaded.
    names = names[:-1] + ["%w0"] if len(names) == 16 and size == 64 else names
    loads = " ".join(f"ld.global.b{size} {name}, [%w0+{size // 8 * index}];" for index, name in enumerate(names))
    groups, at = [], 0
    for count in counts:
        groups.append("{" + ", ".join(names[at:at + count]) + "}")
        at += count
    results = "{" + ", ".join(f"%o{index}" for index in range(held // outer_d)) + "}"
    text = ".".join(filter(None, ["mma.sync.aligned", shape, "row.col", saturate, d, a, b, c, f"{bits}.popc" if bits else ""]))
    column = {"type": f"b{size}", "values": " ".join(f"{word & ((1 << size) - 1):x}" for row in words for word in row)}
    suite.case(f"mad.wide.u32 %w0, %lane, {size // 8 * sum(counts)}, %mem; {loads} {text} {results}, {', '.join(groups)};", suite.input_set("none"),
               [(f"b{size}", [row[index] for row in expected]) for index in range(held // outer_d)], memory={"before": column, "after": column}, opcode=f"mma {shape} {a}")


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


def small_products(suite):
    """Eight rows, four bits, single bits, eight-bit floats and doubles."""
    for saturate in ("", "satfinite"):
        multiply(suite, "m8n8k16", "s32", "s8", "u8", "s32", saturate)
        for shape in ("m8n8k32", "m16n8k32", "m16n8k64"):
            for a, b in (("s4", "s4"), ("u4", "s4"), ("s4", "u4"), ("u4", "u4")):
                multiply(suite, shape, "s32", a, b, "s32", saturate)
    for shape in ("m8n8k128", "m16n8k128", "m16n8k256"):
        for bits in ("xor", "and"):
            multiply(suite, shape, "s32", "b1", "b1", "s32", bits=bits)
    for shape in ("m16n8k16", "m16n8k32"):
        for a, b in (("e4m3", "e4m3"), ("e4m3", "e5m2"), ("e5m2", "e4m3"), ("e5m2", "e5m2")):
            for d in ("f32", "f16"):
                multiply(suite, shape, d, a, b, d)
    for shape in ("m8n8k4", "m16n8k4", "m16n8k8"):
        multiply(suite, shape, "f64", "f64", "f64", "f64")
    multiply(suite, "m8n8k4", "f64", "f64", "f64", "f64", "rn")


def quad_elements(lane, order_a, order_b, kind):
    """(row, column) of the elements of A, B and C of a lane in its product of mma.m8n8k4 (PTX ISA section 9.7.14.5.1)."""
    line, high = lane % 4, 4 * (lane >= 16)
    a = [(line + high, i) if order_a == "row" else (i % 4 + high, line) for i in range(4)]
    b = [(line, i + high) if order_b == "row" else (i, line + high) for i in range(4)]
    if kind == "f16":
        return a, b, [(line + high, i) for i in range(8)]
    return a, b, [((lane & 1) + (i & 2) + high, (i & 4) + (lane & 2) + (i & 1)) for i in range(8)]


def quad_products(suite):
    """Four products at once: lanes 4q to 4q + 3 and those 16 above them make product q."""
    for order_a in ("row", "col"):
        for order_b in ("row", "col"):
            for d, c in (("f32", "f32"), ("f32", "f16"), ("f16", "f16")):
                quad_product(suite, order_a, order_b, d, c)


def quad_product(suite, order_a, order_b, d, c):
    source = random.Random(f"m8n8k4/{order_a}/{order_b}/{d}/{c}")
    matrix = lambda rows, columns, bound: [[Fraction(source.randint(-bound, bound), 4) for _ in range(columns)] for _ in range(rows)]
    products = [(matrix(8, 4, 8), matrix(4, 8, 8), matrix(8, 8, 40)) for _ in range(4)]
    words, expected = [], []
    for lane in LANES:
        left, right, addend = products[lane % 16 // 4]
        of_a, of_b, of_c = quad_elements(lane, order_a, order_b, c)
        _, _, of_d = quad_elements(lane, order_a, order_b, d)
        words.append(registers([bits_of(left[i][k], "f16") for i, k in of_a], 2) + registers([bits_of(right[k][j], "f16") for k, j in of_b], 2)
                     + registers([bits_of(addend[i][j], c) for i, j in of_c], {"f16": 2}.get(c, 1)))
        expected.append(registers([bits_of(addend[i][j] + sum(left[i][k] * right[k][j] for k in range(4)), d) for i, j in of_d], {"f16": 2}.get(d, 1)))
    count = len(words[0])
    names = [f"%t{2 + index}" for index in range(count)]
    loads = " ".join(f"ld.global.b32 {name}, [%w0+{4 * index}];" for index, name in enumerate(names))
    groups = ["{" + ", ".join(part) + "}" for part in (names[:2], names[2:4], names[4:])]
    results = "{" + ", ".join(f"%o{index}" for index in range(len(expected[0]))) + "}"
    column = {"type": "b32", "values": " ".join(f"{word:x}" for row in words for word in row)}
    suite.case(f"mad.wide.u32 %w0, %lane, {4 * count}, %mem; {loads} mma.sync.aligned.m8n8k4.{order_a}.{order_b}.{d}.f16.f16.{c} {results}, {', '.join(groups)};",
               suite.input_set("none"), [("b32", [row[index] for row in expected]) for index in range(len(expected[0]))],
               memory={"before": column, "after": column}, opcode="mma m8n8k4 f16")


def special_values(suite):
    """A NaN or an infinity in A reaches its row: what is written is the NaN of the result's format."""
    words = {lane: [0x3C003C00] * 4 for lane in LANES}
    words[0] = [0x7C003C00, 0x3C003C00, 0x3C003C00, 0x3C003C00]
    words[4] = [0xFE013C00, 0x3C003C00, 0x3C003C00, 0x3C003C00]
    columns = [("b32", [words[lane][index] for lane in LANES]) for index in range(4)]
    name = suite.input_set("special", *columns)
    row = lambda lane: 0x7F800000 if lane // 4 == 0 else 0x7FFFFFFF if lane // 4 == 1 else 0x41800000
    half = lambda lane: 0x7C007C00 if lane // 4 == 0 else 0x7FFF7FFF if lane // 4 == 1 else 0x4C004C00
    one = "mov.b32 %t2, 0x3C003C00; mov.b32 %t3, 0; "
    suite.case(f"{one}mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{%o0, %o1, %o2, %o3}}, {{%a, %b, %c, %d}}, {{%t2, %t2}}, {{%t3, %t3, %t3, %t3}};", name,
               [("b32", [row(lane) for lane in LANES])] * 2 + [("b32", [0x41800000] * 32)] * 2, opcode="mma m16n8k16 f16")
    suite.case(f"{one}mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {{%o0, %o1}}, {{%a, %b, %c, %d}}, {{%t2, %t2}}, {{%t3, %t3}};", name,
               [("b32", [half(lane) for lane in LANES]), ("b32", [0x4C004C00] * 32)], opcode="mma m16n8k16 f16")
    # In mma.m8n8k4 lanes 0 and 16 hold rows 0 and 4 of A of the first product.
    quad = suite.input_set("special-quads", ("b32", [{0: 0x7C003C00, 16: 0xFE013C00}.get(lane, 0x3C003C00) for lane in LANES]))
    row = lambda lane: {0: 0x7C007C00, 16: 0x7FFF7FFF}.get(lane, 0x44004400)
    suite.case(f"{one}mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {{%o0, %o1, %o2, %o3}}, {{%a, %t2}}, {{%t2, %t2}}, {{%t3, %t3, %t3, %t3}};", quad,
               [("b32", [row(lane) for lane in LANES])] * 4, opcode="mma m8n8k4 f16")
    wide = lambda lane: {0: 0x7F800000, 2: 0x7F800000, 16: 0x7FFFFFFF, 18: 0x7FFFFFFF}.get(lane, 0x40800000)
    plain = ("b32", [0x40800000] * 32)
    suite.case(f"{one}mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {{%o0, %o1, %o2, %o3, %o4, %o5, %o6, %o7}}, {{%a, %t2}}, {{%t2, %t2}}, {{%t3, %t3, %t3, %t3, %t3, %t3, %t3, %t3}};", quad,
               [("b32", [wide(lane) for lane in LANES])] * 2 + [plain] * 2 + [("b32", [wide(lane) for lane in LANES])] * 2 + [plain] * 2, opcode="mma m8n8k4 f16")


def kind_of(count, space):
    """Shape and number of matrices, in either order: ptxas takes both."""
    return f"x{count}.m8n8" if space == ".shared::cta" else f"m8n8.x{count}"


def moves(suite):
    """movmatrix transposes across the warp; stmatrix is the reverse of ldmatrix."""
    source = random.Random("movmatrix")
    words = [source.getrandbits(32) for _ in LANES]
    element = lambda i, j: words[4 * i + j // 2] >> 16 * (j % 2) & 0xFFFF
    name = suite.input_set("moved", ("b32", words))
    suite.case("movmatrix.sync.aligned.m8n8.trans.b16 %o0, %a;", name,
               [("b32", [element(2 * (lane % 4), lane // 4) | element(2 * (lane % 4) + 1, lane // 4) << 16 for lane in LANES])])
    for count in (1, 2, 4):
        for transpose in (False, True):
            for space in (".shared", ".shared::cta", ""):
                at = lambda i, j: element(j, i) if transpose else element(i, j)
                # Matrix m goes to the rows that lanes 8m to 8m + 7 name, in reverse order.
                held = [[0xAAAA] * 8 for _ in range(32)]
                for matrix in range(count):
                    for row in range(8):
                        held[31 - (8 * matrix + row)] = [at(row, column) for column in range(8)]
                result = [("b32", [held[lane][2 * index] | held[lane][2 * index + 1] << 16 for lane in LANES]) for index in range(4)]
                fill = ("mov.u32 %t2, tile; mad.lo.u32 %t3, %lane, 16, %t2; mov.b32 %t4, 0xAAAAAAAA; st.shared.v4.b32 [%t3], {%t4, %t4, %t4, %t4}; bar.sync 0; "
                        "sub.u32 %t5, 31, %lane; mad.lo.u32 %t5, %t5, 16, %t2; ")
                generic = "" if space else "cvt.u64.u32 %w1, %t5; cvta.shared.u64 %w1, %w1; "
                sources = ", ".join(["%a"] * count)
                text = f"stmatrix.sync.aligned.{kind_of(count, space)}{'.trans' if transpose else ''}{space}.b16 [{'%t5' if space else '%w1'}], {{{sources}}};"
                suite.case(f"{fill}{generic}{text} bar.sync 0; ld.shared.v4.b32 {{%o0, %o1, %o2, %o3}}, [%t3];", name, result, declare=".shared .align 16 .b8 tile[512];", opcode="stmatrix")


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
                text = f"ldmatrix.sync.aligned.{kind_of(count, space)}{'.trans' if transpose else ''}{space}.b16"
                suite.case(f"{fill}{generic}{text} {{{names}}}, {address};", suite.input_set("none"), columns, memory={"before": column, "after": column},
                           declare=".shared .align 16 .b8 tile[512];", opcode="ldmatrix")


def main():
    suite = Suite("matrix")
    for part in (products, small_products, quad_products, special_values, loads, moves):
        part(suite)
    suite.write()


if __name__ == "__main__":
    main()
