"""mma.sp.sync (PTX ISA section 9.7.15.6): products with a sparse A, for all shapes, types and selectors. Sums are exact, as in the dense products.

Which bits of which thread hold a row's indices is from the figures of section 9.7.15.6.2: `Tk: [m..n]` in a cell of rows and columns.
"""

import random
from fractions import Fraction

from cases import Suite
from matrix_cases import LANES, PER_REGISTER, bits_of, choose, positions, registers

# Columns that four bits of metadata stand for, half of which are stored: 2:4, 1:2, and 4:8 in pairs.
CHUNKS = {"tf32": 2, "s4": 8, "u4": 8}


def one_thread(half, chunk):
    """m16n8k16 of halves and m16n8k8 of tf32: bits 0 to 15 are row g, bits 16 to 31 row g + 8."""
    return 0, 16 * half + 4 * chunk


def two_threads_both_rows(half, chunk):
    """m16n8k32 of halves and m16n8k16 of tf32: the first thread has the first half of the columns of both rows."""
    return chunk // 4, 16 * half + 4 * (chunk % 4)


def two_threads_one_row_each(half, chunk):
    """m16n8k32 of bytes and m16n8k64 of four bits: the first thread has row g, the second one row g + 8."""
    return half, 4 * chunk


def four_threads(half, chunk):
    """m16n8k64 of bytes and m16n8k128 of four bits: the first two threads have the first half of the columns."""
    return 2 * (chunk // 8) + half, 4 * (chunk % 8)


# Layout of the metadata and how many threads of a group of four share it: the selector names one of them, a pair or all.
LAYOUTS = {
    ("m16n8k16", "f16"): (one_thread, 1), ("m16n8k16", "bf16"): (one_thread, 1), ("m16n8k8", "tf32"): (one_thread, 1),
    ("m16n8k32", "f16"): (two_threads_both_rows, 2), ("m16n8k32", "bf16"): (two_threads_both_rows, 2), ("m16n8k16", "tf32"): (two_threads_both_rows, 2),
    **{("m16n8k32", kind): (two_threads_one_row_each, 2) for kind in ("s8", "u8")}, **{("m16n8k64", kind): (two_threads_one_row_each, 2) for kind in ("s4", "u4")},
    **{("m16n8k64", kind): (four_threads, 4) for kind in ("s8", "u8", "e4m3", "e5m2")}, **{("m16n8k128", kind): (four_threads, 4) for kind in ("s4", "u4")},
}


def choose_indices(source, kind, ordered):
    """Four bits of metadata and the places in a chunk that they name, in the order in which A stores them."""
    if kind == "tf32":
        place = source.randint(0, 1)
        return (0b0100, 0b1110)[place], [place]
    first, second = source.sample(range(4), 2)
    if ordered and first > second:
        first, second = second, first
    bits = first | second << 2
    return bits, [first, second] if kind not in ("s4", "u4") else [2 * first, 2 * first + 1, 2 * second, 2 * second + 1]


def sparse_matrix(source, k, kind, ordered):
    """Rows of A with their zeroes, what is stored of them, and four bits for each chunk."""
    width = CHUNKS.get(kind, 4)
    whole, stored, indices = [], [], []
    for _ in range(16):
        row, kept, bits = [0] * k, [], []
        for chunk in range(k // width):
            nibble, places = choose_indices(source, kind, ordered)
            bits.append(nibble)
            for place in places:
                value = choose(source, kind)
                row[width * chunk + place] = value
                kept.append(value)
        whole.append(row)
        stored.append(kept)
        indices.append(bits)
    return whole, stored, indices


def metadata_words(source, shape, kind, indices, selector):
    """The metadata register of each lane; lanes that the selector does not name hold anything."""
    layout, sharing = LAYOUTS[shape, kind]
    words = [source.getrandbits(32) for _ in LANES]
    for group in range(8):
        for thread in range(sharing):
            words[4 * group + sharing * selector + thread] = 0
        for half in (0, 1):
            for chunk, nibble in enumerate(indices[group + 8 * half]):
                thread, bit = layout(half, chunk)
                words[4 * group + sharing * selector + thread] |= nibble << bit
    return words


def stored_positions(shape, kind, lane):
    """(row, place among what is stored) of a lane's elements of A: its registers hold every other row in turn, from twice as many columns each."""
    k, per_register = int(shape.split("k")[1]), PER_REGISTER[kind]
    group, thread = divmod(lane, 4)
    return [(group + 8 * half, (first_column + 2 * per_register * thread) // 2 + index)
            for first_column in range(0, k, 8 * per_register) for half in (0, 1) for index in range(per_register)]


def emit(suite, shape, types, selector, variant="sp", saturate=""):
    d, a, b, c = types
    source = random.Random(f"sparse/{shape}/{types}/{selector}/{variant}/{saturate}")
    k = int(shape.split("k")[1])
    whole, stored, indices = sparse_matrix(source, k, a, variant != "sp")
    right = [[choose(source, b) for _ in range(8)] for _ in range(k)]
    start = (lambda: source.choice([2**31 - 1, -(2**31), source.randint(-10**6, 10**6)])) if c == "s32" else (lambda: Fraction(source.randint(-40, 40), 8))
    addend = [[start() for _ in range(8)] for _ in range(16)]
    result = [[addend[i][j] + sum(whole[i][x] * right[x][j] for x in range(k)) for j in range(8)] for i in range(16)]
    if saturate:
        result = [[max(-(2**31), min(2**31 - 1, value)) for value in row] for row in result]
    words_of_metadata = metadata_words(source, shape, a, indices, selector)
    _, of_b, of_c, _ = positions(shape, b)
    outer = 2 if c == "f16" else 1
    words, expected = [], []
    for lane in LANES:
        words.append(registers([bits_of(stored[i][x], a) for i, x in stored_positions(shape, a, lane)], PER_REGISTER[a])
                     + registers([bits_of(right[x][j], b) for x, j in of_b(lane)], PER_REGISTER[b])
                     + registers([bits_of(addend[i][j], c) for i, j in of_c(lane)], outer) + [words_of_metadata[lane]])
        expected.append(registers([bits_of(result[i][j], d) for i, j in of_c(lane)], outer))
    counts = [len(stored_positions(shape, a, 0)) // PER_REGISTER[a], len(of_b(0)) // PER_REGISTER[b], 4 // outer]
    total = sum(counts) + 1
    names = [f"%t{2 + index}" for index in range(total)]
    loads = " ".join(f"ld.global.b32 {name}, [%w0+{4 * index}];" for index, name in enumerate(names))
    groups = ["{" + ", ".join(names[sum(counts[:index]):sum(counts[:index + 1])]) + "}" for index in range(3)]
    outputs = "{" + ", ".join(f"%o{index}" for index in range(4 // outer)) + "}"
    text = ".".join(filter(None, ["mma", variant, "sync.aligned", shape, "row.col", saturate, d, a, b, c]))
    column = {"type": "b32", "values": " ".join(f"{word & 0xFFFFFFFF:x}" for row in words for word in row)}
    suite.case(f"mad.wide.u32 %w0, %lane, {4 * total}, %mem; {loads} {text} {outputs}, {', '.join(groups)}, {names[-1]}, {selector};", suite.input_set("none"),
               [("b32", [row[index] for row in expected]) for index in range(4 // outer)], memory={"before": column, "after": column}, opcode=f"mma.sp {shape} {a}")


def products(suite):
    floats = [("m16n8k16", "f32", "f16"), ("m16n8k32", "f32", "f16"), ("m16n8k16", "f16", "f16"), ("m16n8k32", "f16", "f16"), ("m16n8k16", "f32", "bf16"), ("m16n8k32", "f32", "bf16"),
              ("m16n8k8", "f32", "tf32"), ("m16n8k16", "f32", "tf32")]
    for variant in ("sp", "sp::ordered_metadata"):
        for shape, d, kind in floats:
            for selector in range(4 // LAYOUTS[shape, kind][1]):
                emit(suite, shape, (d, kind, kind, d), selector, variant)
        for a in ("e4m3", "e5m2"):
            for b in ("e4m3", "e5m2"):
                emit(suite, "m16n8k64", ("f32", a, b, "f32"), 0, variant)
        for kinds, shapes in ((("s8", "u8"), ("m16n8k32", "m16n8k64")), (("s4", "u4"), ("m16n8k64", "m16n8k128"))):
            for shape in shapes:
                for a in kinds:
                    for b in kinds:
                        for selector in range(4 // LAYOUTS[shape, a][1]):
                            for saturate in ("", "satfinite"):
                                emit(suite, shape, ("s32", a, b, "s32"), selector, variant, saturate)


def special_values(suite):
    """A row of B that no index of a row of A names takes no part: its infinities and NaNs reach the rows that name it alone."""
    # Rows 0 to 7 of A have their ones in columns 0 and 1 of all chunks, the others in columns 2 and 3. Column 0 of B has an infinity in row 0, column 1 a NaN in row 7.
    metadata = "mov.b32 %t4, 0xEEEE4444; "
    ones = "mov.b32 %t2, 0x3C003C00; mov.b32 %t3, 0; "
    low, high = [0x3C003C00] * 32, [0x3C003C00] * 32
    low[0], low[7] = 0x3C007C00, 0x7E013C00
    name = suite.input_set("special", ("b32", low), ("b32", high))
    eight = 0x41000000
    expected = [("b32", [0x7F800000 if lane % 4 == 0 else eight for lane in LANES]), ("b32", [eight] * 32), ("b32", [eight] * 32),
                ("b32", [0x7FFFFFFF if lane % 4 == 0 else eight for lane in LANES])]
    text = "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%o0, %o1, %o2, %o3}, {%t2, %t2}, {%a, %b}, {%t3, %t3, %t3, %t3}, %t4, 2;"
    suite.case(f"{metadata}{ones}{text}", name, expected, opcode="mma.sp m16n8k16 f16")
    # The result may lie in the registers of the metadata, of A and of B.
    text = "mov.b32 %o0, 0xEEEE4444; mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%o0, %b, %a, %t2}, {%t2, %t2}, {%a, %b}, {%t3, %t3, %t3, %t3}, %o0, 2; mov.b32 %o1, %b; mov.b32 %o2, %a; mov.b32 %o3, %t2;"
    suite.case(f"{ones}{text}", name, expected, opcode="mma.sp m16n8k16 f16")


def main():
    suite = Suite("sparse")
    products(suite)
    special_values(suite)
    suite.write()


if __name__ == "__main__":
    main()
