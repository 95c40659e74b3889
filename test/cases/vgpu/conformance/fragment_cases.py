"""wmma: fragments loaded from memory, multiplied and stored again (PTX ISA section 9.7.15.4). Sums are exact in every order."""

import random

from cases import Suite
from matrix_cases import bits_of, choose

SIZES = {"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "s32": 32, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1, "f64": 64}
STRIDE_GAP = {"f16": 8, "bf16": 8, "tf32": 4, "f32": 4, "s32": 4, "s8": 16, "u8": 16, "f64": 2}


def pack(matrix, layout, kind, gap):
    """Bytes of a matrix by rows or columns, each `gap` elements longer than needed."""
    lines = matrix if layout == "row" else [list(column) for column in zip(*matrix)]
    total, at, size = 0, 0, SIZES[kind]
    for line in lines:
        for value in line:
            total |= (bits_of(value, kind) & ((1 << size) - 1)) << at
            at += size
        at += gap * size
    return list(total.to_bytes((at + 7) // 8, "little"))


def registers(shape, matrix, kind):
    m, n, k = (int(part) for part in shape[1:].replace("n", " ").replace("k", " ").split())
    count = {"a": m * k, "b": k * n, "c": m * n, "d": m * n}[matrix]
    if kind == "f16" and matrix in "ab":
        return 8
    return max(1, count // 32 * min(32, SIZES[kind]) // 32)


def align(data):
    return data + [0] * (-len(data) % 256)


def emit(suite, shape, types, layouts, spaces=("global", "global", "global"), saturate="", bits=""):
    m, n, k = (int(part) for part in shape[1:].replace("n", " ").replace("k", " ").split())
    d, a, b, c = types
    layout_a, layout_b, layout_c = layouts
    source = random.Random(f"{shape}{types}{layouts}{spaces}{saturate}{bits}")
    left = [[choose(source, a) for _ in range(k)] for _ in range(m)]
    right = [[choose(source, b) for _ in range(n)] for _ in range(k)]
    start = [[source.choice([2**31 - 1, -(2**31)]) if saturate else choose(source, "s8") if c == "s32" else choose(source, "f16") for _ in range(n)] for _ in range(m)]
    product = {"": lambda x, y: x * y, "xor": lambda x, y: x ^ y, "and": lambda x, y: x & y}[bits]
    result = [[start[i][j] + sum(product(left[i][x], right[x][j]) for x in range(k)) for j in range(n)] for i in range(m)]
    if saturate:
        result = [[max(-(2**31), min(2**31 - 1, value)) for value in row] for row in result]
    gaps = [0 if SIZES[kind] < 8 else STRIDE_GAP[kind] for kind in (a, b, c, d)]
    held = [align(pack(matrix, layout, kind, gap)) for matrix, layout, kind, gap in ((left, layout_a, a, gaps[0]), (right, layout_b, b, gaps[1]), (start, layout_c, c, gaps[2]))]
    target = align(pack(result, layout_c, d, gaps[3]))
    blank = align(pack([[0] * n for _ in range(m)], layout_c, d, gaps[3]))
    before, after = sum(held, []) + blank, sum(held, []) + target
    offsets = [sum(len(part) for part in held[:index]) for index in range(4)]
    wide = 64 if d == "f64" else 32
    stride = lambda layout, rows, columns, gap: (columns if layout == "row" else rows) + gap
    strides = [stride(layout_a, m, k, gaps[0]), stride(layout_b, k, n, gaps[1]), stride(layout_c, m, n, gaps[2]), stride(layout_c, m, n, gaps[3])]
    groups, declared, code = {}, [], []
    for matrix, kind in zip("abcd", (a, b, c, d)):
        names = [f"%{matrix}x{index}" for index in range(registers(shape, matrix, kind))]
        declared += names
        groups[matrix] = "{" + ", ".join(names) + "}"
    fill, addresses = "", [f"%mem+{offset}" for offset in offsets]
    if "shared" in spaces[0]:
        fill = (f"mov.u32 %t2, %lane; $fill: mad.wide.u32 %w1, %t2, 4, %mem; ld.global.b32 %t4, [%w1]; mov.u32 %t3, tile; mad.lo.u32 %t3, %t2, 4, %t3; st.shared.b32 [%t3], %t4; "
                f"add.u32 %t2, %t2, 32; setp.lt.u32 %p0, %t2, {len(before) // 4}; @%p0 bra $fill; bar.sync 0; ")
        addresses = [f"tile+{offset}" for offset in offsets]
    space = lambda name: f".{name}" if name else ""
    for index, (matrix, kind, layout) in enumerate((("a", a, layout_a), ("b", b, layout_b), ("c", c, layout_c))):
        code.append(f"wmma.load.{matrix}.sync.aligned.{layout}.{shape}{space(spaces[index])}.{kind} {groups[matrix]}, [{addresses[index]}], {strides[index]};")
    kinds = f"{d}.{c}" if a == "f16" else f"{d}.{a}.{b}.{c}"
    operation = f".{bits}.popc" if bits else ""
    code.append(f"wmma.mma{operation}.sync.aligned.{layout_a}.{layout_b}.{shape}.{kinds}{saturate} {groups['d']}, {groups['a']}, {groups['b']}, {groups['c']};")
    code.append(f"wmma.store.d.sync.aligned.{layout_c}.{shape}{space(spaces[1] if fill else spaces[2])}.{d} [{addresses[3]}], {groups['d']}, {strides[3]};")
    if fill:
        code.append(f"bar.sync 0; mov.u32 %t2, %lane; $back: mad.wide.u32 %w1, %t2, 4, %mem; mov.u32 %t3, tile; mad.lo.u32 %t3, %t2, 4, %t3; ld.shared.b32 %t4, [%t3+{offsets[3]}]; "
                    f"st.global.b32 [%w1+{offsets[3]}], %t4; add.u32 %t2, %t2, 32; setp.lt.u32 %p0, %t2, {len(target) // 4}; @%p0 bra $back;")
    column = lambda data: {"type": "b64", "values": " ".join(f"{int.from_bytes(bytes(data[at:at + 8]), 'little'):x}" for at in range(0, len(data), 8))}
    declare = {"declare": f".shared .align 256 .b8 tile[{len(before)}];"} if fill else {}
    suite.case(f"{{ .reg .b{wide} {', '.join(declared)}; {fill}{' '.join(code)} }}", suite.input_set("none"), [], block=(32, 1, 1), memory={"before": column(before), "after": column(after)},
               opcode=f"wmma {shape} {a}", **declare)


def main():
    suite = Suite("fragment")
    corners = [("row", "col", "row"), ("col", "row", "col"), ("row", "row", "col"), ("col", "col", "row")]
    for shape in ("m16n16k16", "m8n32k16", "m32n8k16"):
        for index, layouts in enumerate(corners):
            for d, c in (("f32", "f32"), ("f16", "f16"), ("f32", "f16"), ("f16", "f32"))[index:index + 2]:
                emit(suite, shape, (d, "f16", "f16", c), layouts)
            emit(suite, shape, ("f32", "bf16", "bf16", "f32"), layouts)
            emit(suite, shape, ("s32", "s8", "s8", "s32"), layouts, saturate=".satfinite" if index == 1 else "")
            emit(suite, shape, ("s32", "u8", "u8", "s32"), layouts, saturate=".satfinite" if index == 2 else "")
    for layouts in corners:
        emit(suite, "m16n16k8", ("f32", "tf32", "tf32", "f32"), layouts)
        emit(suite, "m8n8k4", ("f64", "f64", "f64", "f64"), layouts)
    for spaces in (("shared", "shared::cta", "shared"), ("shared::cta", "shared", "shared::cta"), ("", "", "")):
        emit(suite, "m16n16k16", ("f32", "f16", "f16", "f32"), corners[0], spaces)
        emit(suite, "m16n16k16", ("s32", "s8", "s8", "s32"), corners[1], spaces)
    for layout in ("row", "col"):
        for kind in ("s4", "u4"):
            for saturate in ("", ".satfinite"):
                emit(suite, "m8n8k32", ("s32", kind, kind, "s32"), ("row", "col", layout), saturate=saturate)
        for bits in ("xor", "and"):
            emit(suite, "m8n8k128", ("s32", "b1", "b1", "s32"), ("row", "col", layout), bits=bits)
    suite.write()


if __name__ == "__main__":
    main()
