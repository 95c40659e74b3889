"""Loads, stores, generic addresses, asynchronous copies and atomics (PTX ISA sections 9.7.9 and 9.7.13)."""

import random

import formats
from cases import Suite, of_type
from formats import BF16, F16, F32, F64, FORMATS, decode, encode
from values import floats, integers

THREADS = 64
TYPES = ["b8", "u8", "s8", "b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"]


def bytes_of(seed, count):
    return list(random.Random(f"bytes/{seed}").randbytes(count))


def chunk(data, at, size):
    return int.from_bytes(bytes(data[at:at + size]), "little")


def register(kind):
    """A register of the type itself, wider for bytes."""
    bits = int(kind[1:])
    return "b32" if bits == 8 else f"b{bits}"


def loaded(data, at, kind):
    value = chunk(data, at, int(kind[1:]) // 8)
    return of_type(value, kind) if kind[0] == "s" else value


def typed(kind, names):
    """Registers %v0, … of the type's own kind, and how they get to the results."""
    bits = int(kind[1:])
    declared = kind if kind[0] == "f" else register(kind)
    return f".reg .{declared} {', '.join(f'%v{index}' for index in range(names))};", [f"mov.b{max(bits, 32) if bits == 8 else bits} %o{index}, %v{index};" for index in range(names)]


def vector_of(count, names):
    return names[0] if count == 1 else "{" + ", ".join(names) + "}"


def place(space, size):
    """Declarations and a snippet that fills `size` bytes of the space for each thread from the buffer; the address is in %w1 then."""
    total = size * THREADS
    copy = " ".join(f"ld.global.b8 %h1, [%w0+{at}]; st.{space}.b8 [%w1+{at}], %h1;" for at in range(size)) if space in ("shared", "local") else ""
    start = f"mad.wide.u32 %w0, %lane, {size}, %mem; "
    if space == "global":
        return "", start + "mov.u64 %w1, %w0; "
    if space == "shared":
        return f".shared .align 16 .b8 tile[{total}];", start + f"mov.u64 %w1, tile; mad.wide.u32 %w1, %lane, {size}, %w1; {copy} "
    return "", start + f".local .align 16 .b8 frame[{size}]; mov.u64 %w1, frame; {copy} "


def loads(suite):
    none = suite.input_set("none")
    data = bytes_of("loads", 32 * THREADS)
    memory = {"before": {"type": "b8", "values": " ".join(f"{value:x}" for value in data)}, "after": {"type": "b8", "values": " ".join(f"{value:x}" for value in data)}}
    hints = {"global": ["ca", "cg", "cs", "lu", "cv", "nc", "nc.L1::no_allocate", "L1::evict_last.L2::128B", "nc.L2::64B"], "shared": [""], "local": ["ca", ""]}
    for space in ("global", "shared", "local", ""):
        for index, kind in enumerate(TYPES):
            size = int(kind[1:]) // 8
            for count in (1, 2, 4):
                if size * count > 16:
                    continue
                declare, fill = place(space or "shared", size * count)
                if space == "":
                    fill += "cvta.shared.u64 %w1, %w1; "
                names = [f"%v{at}" for at in range(count)]
                declaration, out = typed(kind, count)
                hint = hints.get(space, [""])
                word = ".".join(filter(None, ["ld", space, hint[(index + count) % len(hint)], f"v{count}" if count > 1 else "", kind]))
                body = f"{declaration} {fill}{word} {vector_of(count, names)}, [%w1]; {' '.join(out)}"
                expected = [(register(kind), [loaded(data, size * (count * thread + at), kind) for thread in range(THREADS)]) for at in range(count)]
                suite.case(body, none, expected, memory=memory, opcode=f"ld {space or 'generic'}", **({"declare": declare} if declare else {}))
    for kind in ("u8", "s8", "u16", "s16", "u32", "s32"):
        size = int(kind[1:]) // 8
        for wide in ("b32", "b64"):
            if int(wide[1:]) > 8 * size:
                expected = [loaded(data, size * thread, kind) for thread in range(THREADS)]
                suite.case(f"mad.wide.u32 %w0, %lane, {size}, %mem; ld.global.{kind} %o0, [%w0];", none, [(wide, expected)], memory=memory, opcode="ld into wider registers")
    for word in ("ld.weak.global.u32", "ld.volatile.global.u32", "ld.relaxed.gpu.global.u32", "ld.acquire.sys.global.u32", "ld.acquire.cta.u32", "ldu.global.u32", "ldu.u32",
                 "ld.global.L1::evict_normal.u32", "ld.global.L1::evict_first.u32", "ld.global.L1::evict_unchanged.L2::256B.u32", "ld.global.nc.L1::evict_last.L2::128B.u32"):
        suite.case(f"mad.wide.u32 %w0, %lane, 4, %mem; {word} %o0, [%w0+8];", none, [("b32", [chunk(data, 4 * thread + 8, 4) for thread in range(THREADS)])], memory=memory, opcode="ld")


def stores(suite):
    source = integers(64, "stores", THREADS)
    name = suite.input_set("stores", ("b64", source))
    words = ["", "wb", "cg", "cs", "wt", "L1::no_allocate", "L1::evict_last"]
    for space in ("global", "shared", "local", ""):
        for index, kind in enumerate(TYPES):
            size = int(kind[1:]) // 8
            for count in (1, 2, 4):
                if size * count > 16:
                    continue
                before = bytes_of("before", size * count * THREADS + 4)
                after = list(before)
                for thread, value in enumerate(source):
                    for at in range(count):
                        shifted = (value >> (8 * at)).to_bytes(8, "little")[:size]
                        after[size * (count * thread + at):size * (count * thread + at + 1)] = shifted
                declared = kind if kind[0] == "f" else register(kind)
                move = {"b32": "cvt.u32.u64", "b64": "mov.b64", "b16": "cvt.u16.u64"}[register(kind)]
                setup = "".join(f"shr.u64 %w3, %a, {8 * at}; {move} %u{at}, %w3; mov.{'b' + declared[1:]} %v{at}, %u{at}; " for at in range(count))
                registers = f".reg .{register(kind)} {', '.join(f'%u{at}' for at in range(count))}; .reg .{declared} {', '.join(f'%v{at}' for at in range(count))}; "
                declare, fill = place(space or "local", size * count)
                hint = words[(index + count) % len(words)] if space == "global" else ""
                word = ".".join(filter(None, ["st", space, hint, f"v{count}" if count > 1 else "", kind]))
                if space == "":
                    fill += "cvta.local.u64 %w1, %w1; "
                store = f"{word} [%w1], {vector_of(count, [f'%v{at}' for at in range(count)])}; "
                back = "" if space == "global" else " ".join(
                    f"ld{'.' + space if space else ''}.b8 %h1, [%w1+{at}]; st.global.b8 [%w0+{at}], %h1;" for at in range(size * count))
                suite.case(registers + setup + fill + store + back, name, [], block=(THREADS, 1, 1), opcode=f"st {space or 'generic'}",
                           memory={"before": {"type": "b8", "values": " ".join(f"{value:x}" for value in before)}, "after": {"type": "b8", "values": " ".join(f"{value:x}" for value in after)}},
                           **({"declare": declare} if declare else {}))
    for word in ("st.weak.global.u32", "st.volatile.global.u32", "st.relaxed.gpu.global.u32", "st.release.sys.global.u32", "st.release.cta.u32", "st.global.L1::evict_first.u32"):
        body = f"cvt.u32.u64 %t2, %a; mad.wide.u32 %w0, %lane, 4, %mem; {word} [%w0], %t2; ld.global.u32 %o0, [%w0];"
        suite.case(body, name, [("b32", source)], memory=column("b32", [0] * THREADS, source), opcode="st")


def column(kind, before, after):
    mask = (1 << int(kind[1:])) - 1
    text = lambda values: {"type": kind, "values": " ".join(f"{value & mask:x}" for value in values)}
    return {"before": text(before), "after": text(after)}


def addresses(suite):
    none = suite.input_set("none")
    threads = list(range(THREADS))
    declare = ".const .align 8 .b32 table[4] = {11, 22, 33, 44}; .global .align 4 .b32 state[2] = {5, 6}; .shared .align 4 .b8 tile[256]; .const .align 8 .f64 half = 0d3FE0000000000000;"
    indexed = "and.b32 %t2, %thread, 3; mov.u64 %w1, table; mad.wide.u32 %w1, %t2, 4, %w1; "
    suite.case(indexed + "ld.const.u32 %o0, [%w1];", none, [("b32", [11 * (thread % 4 + 1) for thread in threads])], declare=declare, opcode="ld const")
    suite.case("ld.const.u32 %o0, [table+8]; ld.const.v2.u32 {%t3, %o1}, [table]; ld.const.b64 %o2, [half];", none,
               [("b32", [33] * THREADS), ("b32", [22] * THREADS), ("b64", [0x3FE0000000000000] * THREADS)], declare=declare, opcode="ld const")
    suite.case(indexed + "cvta.const.u64 %w2, %w1; ld.u32 %o0, [%w2];", none, [("b32", [11 * (thread % 4 + 1) for thread in threads])], declare=declare, opcode="cvta")
    suite.case("ld.global.u32 %o0, [state+4]; mov.u64 %w1, state; cvta.global.u64 %w1, %w1; ld.u32 %o1, [%w1]; cvta.to.global.u64 %w2, %w1; ld.global.u32 %o2, [%w2+4];", none,
               [("b32", [value] * THREADS) for value in (6, 5, 6)], declare=declare, opcode="cvta")
    own = "mov.u64 %w1, tile; mad.wide.u32 %w1, %thread, 4, %w1; "
    suite.case(own + "cvta.shared.u64 %w2, %w1; st.u32 [%w2], %thread; ld.shared.u32 %o0, [%w1]; cvta.to.shared.u64 %w3, %w2; sub.u64 %w3, %w3, %w1; cvt.u32.u64 %o1, %w3; ld.shared::cta.u32 %o2, [%w1];",
               none, [("b32", threads), ("b32", [0] * THREADS), ("b32", threads)], declare=declare, opcode="cvta")
    local = ".local .align 8 .b8 frame[8]; mov.u64 %w1, frame; "
    suite.case(local + "cvta.local.u64 %w2, %w1; st.u32 [%w2+4], %thread; ld.local.u32 %o0, [frame+4]; cvta.to.local.u64 %w3, %w2; ld.local.u32 %o1, [%w3+4];", none,
               [("b32", threads), ("b32", threads)], declare=declare, opcode="cvta")
    # Compilers shorten the addresses of local memory to 32 bits.
    suite.case(local + "cvt.u32.u64 %t2, %w1; st.local.v2.b32 [%t2], {%lane, %thread}; ld.local.u32 %o0, [%t2+4]; ld.local.u8 %o1, [%t2+4];", none,
               [("b32", threads), ("b32", [thread & 255 for thread in threads])], declare=declare, opcode="cvta")
    spaces = {"global": "cvta.global.u64 %w2, %mem; ", "shared": own + "cvta.shared.u64 %w2, %w1; ", "local": local + "cvta.local.u64 %w2, %w1; "}
    for actual, code in spaces.items():
        for asked in ("global", "shared", "shared::cta", "local"):
            truth = int(asked.startswith(actual))
            suite.case(f"{code}isspacep.{asked} %p0, %w2; selp.b32 %o0, 1, 0, %p0;", none, [("b32", [truth] * THREADS)], declare=declare, opcode="isspacep")
    # p0 holds a pointer; a parameter's address reads the same bytes as its name, in its own window, which lies in global memory, and as a generic address.
    for word in ("param", "param::entry"):
        suite.case(f"mov.b64 %w1, p0; cvta.{word}.u64 %w2, %w1; cvta.to.{word}.u64 %w3, %w2; ld.param.u64 %w4, [p0]; ld.{word}.u64 %w1, [%w3]; ld.u64 %w3, [%w2]; "
                   f"sub.u64 %w1, %w1, %w4; sub.u64 %w3, %w3, %w4; cvt.u32.u64 %o0, %w1; cvt.u32.u64 %o1, %w3; isspacep.{word} %p0, %w2; isspacep.global %p1, %w2; "
                   "selp.b32 %o2, 1, 0, %p0; selp.b32 %o3, 1, 0, %p1;", none, [("b32", [value] * THREADS) for value in (0, 0, 1, 1)], opcode="cvta")
    whole = "ld.param.u64 %w1, [p{0}]; "
    last = 2
    pieces = [
        ("ld.param.v2.u32 {%t2, %t3}, [p{0}]; mov.b64 %w2, {%t2, %t3};"), ("ld.param.u32 %t2, [p{0}]; ld.param.b32 %t3, [p{0}+4]; mov.b64 %w2, {%t2, %t3};"),
        ("ld.param.u16 %h1, [p{0}]; ld.param.b16 %h2, [p{0}+2]; ld.param.s16 %h3, [p{0}+4]; ld.param.u16 %h4, [p{0}+6]; mov.b64 %w2, {%h1, %h2, %h3, %h4};"),
        ("ld.param.v4.u16 {%h1, %h2, %h3, %h4}, [p{0}]; mov.b64 %w2, {%h1, %h2, %h3, %h4};"),
        ("ld.param.u8 %t2, [p{0}+1]; shl.b32 %t2, %t2, 8; ld.param.b8 %t3, [p{0}]; or.b32 %t2, %t2, %t3; cvt.u64.u32 %w2, %t2; and.b64 %w1, %w1, 65535;"),
        ("ld.param.b64 %w2, [p{0}];"), ("ld.param.s64 %w2, [p{0}];"), ("ld.param::entry.u64 %w2, [p{0}];"),
    ]
    for piece in pieces:
        body = (whole + piece).replace("{0}", str(last)) + " sub.u64 %o0, %w1, %w2; mov.u32 %o1, 1;"
        suite.case(body, none, [("b64", [0] * THREADS), ("b32", [1] * THREADS)], opcode="ld param")
    for word in ("prefetch.global.L1", "prefetch.global.L2", "prefetch.L1", "prefetch.global.L2::evict_last", "prefetch.global.L2::evict_normal", "prefetchu.L1"):
        suite.case(f"{word} [%mem]; mov.u32 %o0, 1;", none, [("b32", [1] * THREADS)])
    for policy in ("L2::evict_last", "L2::evict_normal", "L2::evict_first", "L2::evict_unchanged"):
        suite.case(f"createpolicy.fractional.{policy}.b64 %w1, 1.0; ld.global.L2::cache_hint.u32 %o0, [%mem], %w1; st.global.L2::cache_hint.u32 [%mem], %o0, %w1;", none,
                   [("b32", [9] * THREADS)], memory=column("b32", [9], [9]))


def copies(suite):
    """cp.async with sizes, zero fill and groups."""
    none = suite.input_set("none")
    data = bytes_of("copies", 16 * THREADS)
    memory = column("b8", data, data)
    variants = [("ca", 4), ("ca", 8), ("ca", 16), ("cg", 16)]
    for cache, size in variants:
        declare = f".shared .align 16 .b8 tile[{size * THREADS}];"
        fill = f"mov.u32 %t2, tile; mad.lo.u32 %t2, %thread, {size}, %t2; mad.wide.u32 %w0, %thread, {size}, %mem; "
        back = " ".join(f"ld.shared.u32 %o{at // 4}, [%t2+{at}];" for at in range(0, size, 4))

        def words(kept):
            return [("b32", [chunk([value if index < kept(thread) else 0 for index, value in enumerate(data[size * thread:size * (thread + 1)])], at, 4)
                             for thread in range(THREADS)]) for at in range(0, size, 4)]

        for wait in ("cp.async.wait_all;", "cp.async.commit_group; cp.async.wait_group 0;"):
            suite.case(f"{fill}cp.async.{cache}.shared.global [%t2], [%w0], {size}; {wait} {back}", none, words(lambda thread: size), memory=memory, declare=declare, opcode="cp.async")
        for hint in ("L2::64B", "L2::128B", "L2::256B"):
            suite.case(f"{fill}cp.async.{cache}.shared::cta.global.{hint} [%t2], [%w0], {size}; cp.async.wait_all; {back}", none, words(lambda thread: size), memory=memory, declare=declare, opcode="cp.async")
        partial = f"and.b32 %t3, %thread, 1; mul.lo.u32 %t3, %t3, {size}; "
        suite.case(f"{fill}{partial}cp.async.{cache}.shared.global [%t2], [%w0], {size}, %t3; cp.async.wait_all; {back}", none, words(lambda thread: thread % 2 * size), memory=memory, declare=declare, opcode="cp.async")
        ignore = "setp.lt.u32 %p0, %thread, 20; "
        suite.case(f"{fill}{ignore}cp.async.{cache}.shared.global [%t2], [%w0], {size}, !%p0; cp.async.wait_all; {back}", none, words(lambda thread: size if thread < 20 else 0), memory=memory, declare=declare, opcode="cp.async")
        suite.case(f"{fill}{ignore}cp.async.{cache}.shared.global [%t2], [%w0], {size}, %p0; cp.async.wait_all; {back}", none, words(lambda thread: 0 if thread < 20 else size), memory=memory, declare=declare, opcode="cp.async")
    declare = f".shared .align 16 .b8 tile[{8 * THREADS}];"
    body = ("mov.u32 %t2, tile; mad.lo.u32 %t2, %thread, 8, %t2; mad.wide.u32 %w0, %thread, 8, %mem; cp.async.ca.shared.global [%t2], [%w0], 4; cp.async.commit_group; "
            "cp.async.ca.shared.global [%t2+4], [%w0+4], 4; cp.async.commit_group; cp.async.wait_group 1; ld.shared.u32 %o0, [%t2]; cp.async.wait_group 0; ld.shared.u32 %o1, [%t2+4];")
    suite.case(body, none, [("b32", [chunk(data, 8 * thread + at, 4) for thread in range(THREADS)]) for at in (0, 4)], memory=memory, declare=declare, opcode="cp.async")


ATOMICS = {
    "and": lambda old, value: old & value, "or": lambda old, value: old | value, "xor": lambda old, value: old ^ value, "exch": lambda old, value: value,
    "add": lambda old, value: old + value, "min": min, "max": max, "inc": lambda old, bound: 0 if old >= bound else old + 1,
    "dec": lambda old, bound: bound if old == 0 or old > bound else old - 1,
}


def atomic_kinds(operation):
    if operation in ("and", "or", "xor", "exch"):
        return ("b32", "b64")
    if operation in ("inc", "dec"):
        return ("u32",)
    return ("u32", "s32", "u64", "s64") if operation != "add" else ("u32", "s32", "u64")


def atomics(suite):
    """Own addresses: the old value and the new one. One address for all: the sum of what they did."""
    scopes = ["", "relaxed.gpu", "acquire.cta", "release.sys", "acq_rel.gpu", "relaxed.cta"]
    turn = 0
    for operation, function in ATOMICS.items():
        for kind in atomic_kinds(operation):
            bits = int(kind[1:])
            before, values = integers(bits, f"{operation}/old", THREADS), integers(bits, f"{operation}/new", THREADS)
            after = [function(of_type(old, kind), of_type(value, kind)) for old, value in zip(before, values)]
            name = suite.input_set(f"atomic-{operation}-{kind}", (f"b{bits}", values))
            for space in ("global", "shared", ""):
                turn += 1
                scope = scopes[turn % len(scopes)]
                own(suite, ".".join(filter(None, [scope, space, operation, kind])), name, kind, before, after)
            own(suite, f"global.{operation}.{kind}", name, kind, before, after, predicate=True)
    for bits in (16, 32, 64):
        before, compare, swap = integers(bits, "cas/old", THREADS), integers(bits, "cas/compare", THREADS), integers(bits, "cas/swap", THREADS)
        compare[::2] = before[::2]
        after = [new if old == expected else old for old, expected, new in zip(before, compare, swap)]
        name = suite.input_set(f"cas{bits}", (f"b{bits}", compare), (f"b{bits}", swap))
        for space in ("global", "shared", ""):
            own(suite, ".".join(filter(None, [space, "cas", f"b{bits}"])), name, f"b{bits}", before, after, operands="%a, %b")
        ones = [(1 << bits) - 1 if thread % 2 else old for thread, old in enumerate(before)]
        own(suite, f"global.cas.b{bits}", name, f"b{bits}", ones, [(1 << bits) - 2 if old == (1 << bits) - 1 else old for old in ones], operands="-1, -2")


def own(suite, text, name, kind, before, after, predicate=False, operands="%a", nan=None):
    """atom and, where it exists, red on one element a thread."""
    bits, size = int(kind[1:]) if kind[0] in "busf" and kind[1:].isdigit() else 32, 0
    bits = {"f16": 16, "bf16": 16, "f16x2": 32, "bf16x2": 32}.get(kind, bits)
    size = bits // 8
    in_shared = "shared" in text
    declare = {"declare": f".shared .align 8 .b8 tile[{size * THREADS}];"} if in_shared else {}
    setup = f"mad.wide.u32 %w0, %lane, {size}, %mem; "
    temporary = {16: "%h1", 32: "%t5", 64: "%w5"}[bits]
    if in_shared:
        setup += f"mov.u64 %w1, tile; mad.wide.u32 %w1, %lane, {size}, %w1; ld.global.b{bits} {temporary}, [%w0]; st.shared.b{bits} [%w1], {temporary}; "
        finish = f" ld.shared.b{bits} {temporary}, [%w1]; st.global.b{bits} [%w0], {temporary};"
    else:
        setup += "mov.u64 %w1, %w0; "
        finish = ""
    reducible = not any(word in text for word in ("exch", "cas", "acquire", "acq_rel"))
    extra = {"nan": nan} if nan else {}
    if predicate:
        kept = [new if thread % 3 else old for thread, (old, new) in enumerate(zip(before, after))]
        body = f"{setup}rem.u32 %t2, %thread, 3; setp.ne.u32 %p0, %t2, 0; @%p0 atom.{text} %o0, [%w1], {operands};"
        suite.case(body, name, [(f"b{bits}", [old if thread % 3 else 0 for thread, old in enumerate(before)])], memory=column(f"b{bits}", before, kept), opcode="atom")
        return
    suite.case(f"{setup}atom.{text} %o0, [%w1], {operands};{finish}", name, [(f"b{bits}", before)], memory=column(f"b{bits}", before, after), opcode="atom", **declare, **extra)
    if reducible:
        suite.case(f"{setup}red.{text} [%w1], {operands};{finish}", name, [], block=(THREADS, 1, 1), memory=column(f"b{bits}", before, after), opcode="red", **declare, **extra)


def float_atomics(suite):
    for kind, spelled in (("f32", "f32"), ("f64", "f64"), ("f16", "noftz.f16"), ("bf16", "noftz.bf16"), ("f16x2", "noftz.f16x2"), ("bf16x2", "noftz.bf16x2")):
        format = FORMATS[kind.removesuffix("x2")]
        # What happens to subnormal singles depends on where they lie: they have no part in this.
        clean = (lambda bits: formats.flush(bits, format)) if kind == "f32" else (lambda bits: bits)
        total = lambda x, y: encode(formats.add(decode(x, format), decode(y, format)), format)
        before, values = ([clean(bits) for bits in floats(format, f"atomic/{part}", 2 * THREADS)] for part in "ab")
        after = [total(x, y) for x, y in zip(before, values)]
        if kind == "f32":
            keep = [formats.flush(bits, format) == bits for bits in after]
            before, after = ([bits if good else 0 for bits, good in zip(bits_of, keep)] for bits_of in (before, after))
            values = [bits if good else 0 for bits, good in zip(values, keep)]
        if kind.endswith("x2"):
            before, values, after = ([low | high << 16 for low, high in zip(bits[::2], bits[1::2])] for bits in (before, values, after))
        bits = 32 if kind.endswith("x2") else format.bits
        name = suite.input_set(f"atomic-add-{kind}", (f"b{bits}", values[:THREADS]))
        for space in ("global", "shared", ""):
            # The NaN of doubles keeps a payload of either operand; all others have one NaN.
            own(suite, ".".join(filter(None, [space, "add", spelled])), name, kind, before[:THREADS], after[:THREADS], **({"nan": kind} if kind == "f64" else {}))
    subnormal_atomics(suite)


def sum_of(kind, format, x, y):
    """The sum of two elements; subnormal singles become zeroes in global memory."""
    flush = (lambda bits: formats.flush(bits, format)) if kind == "f32" else (lambda bits: bits)
    return flush(encode(formats.add(decode(flush(x), format), decode(flush(y), format)), format))


def vector_atomics(suite):
    """Each thread adds its own vector, element by element: the old values and the new ones."""
    scopes = ["global", "relaxed.gpu.global", "", "release.sys.global"]
    turn = 0
    for kind, counts in (("f32", (2, 4)), ("f16", (2, 4, 8)), ("bf16", (2, 4, 8)), ("f16x2", (2, 4)), ("bf16x2", (2, 4))):
        format = FORMATS[kind.removesuffix("x2")]
        parts = 2 if kind.endswith("x2") else 1
        bits = parts * format.bits
        for count in counts:
            total = count * parts * THREADS
            old, values = (floats(format, f"vector/{kind}/{count}/{part}", total) for part in "ab")
            new = [sum_of(kind, format, x, y) for x, y in zip(old, values)]
            if parts == 2:
                old, values, new = ([low | high << 16 for low, high in zip(each[::2], each[1::2])] for each in (old, values, new))
            rows = range(0, count * THREADS, count)
            before, after = ([bits_of for at in rows for bits_of in first[at:at + count] + values[at:at + count]] for first in (old, new))
            size = bits // 8
            names = [f"%v{element}" for element in range(count)]
            setup = f".reg .b{bits} %v<{count}>; mad.wide.u32 %w0, %lane, {2 * count * size}, %mem; " + " ".join(f"ld.global.b{bits} {name}, [%w0+{size * (count + element)}];" for element, name in enumerate(names))
            turn += 1
            scope = scopes[turn % len(scopes)]
            text = ".".join(filter(None, [scope, "add", "" if kind == "f32" else "noftz", f"v{count}", kind]))
            none = suite.input_set("none")
            memory = column(f"b{bits}", before, after)
            results = [(f"b{bits}", old[element::count]) for element in range(count)]
            given = vector_of(count, names)
            taken = vector_of(count, [f"%o{element}" for element in range(count)])
            suite.case(f"{setup} atom.{text} {taken}, [%w0], {given};", none, results, memory=memory, opcode="atom")
            suite.case(f"{setup} red.{text} [%w0], {given};", none, [], block=(THREADS, 1, 1), memory=memory, opcode="red")
            if kind == "f32":
                # As Triton writes it.
                suite.case(f"{setup} atom.global.gpu.acq_rel.add.v{count}.f32 {taken}, [%w0], {given};", none, results, memory=memory, opcode="atom")


def subnormal_atomics(suite):
    """add.f32: subnormal operands and results become zeroes of their sign in global memory, and stay as they are in shared memory."""
    least = F32.smallest_normal
    numbers = [0, 1, 7, least // 2, least - 1, least, least + 1, 2 * least, 0x3F800000]
    numbers += [bits | F32.sign for bits in numbers]
    pairs = [(x, y) for x in numbers for y in numbers]
    for start in range(0, len(pairs), THREADS):
        part = (pairs[start:start + THREADS] + pairs)[:THREADS]
        before, values = ([pair[at] for pair in part] for at in (0, 1))
        name = suite.input_set(f"atomic-subnormal-{start}", ("b32", values))
        exact = [encode(formats.add(decode(x, F32), decode(y, F32)), F32) for x, y in part]
        flushed = [formats.flush(encode(formats.add(decode(formats.flush(x, F32), F32), decode(formats.flush(y, F32), F32)), F32), F32) for x, y in part]
        own(suite, "global.add.f32", name, "f32", before, flushed)
        own(suite, "add.f32", name, "f32", before, flushed)
        own(suite, "shared.add.f32", name, "f32", before, exact)


def contention(suite):
    """All threads of four blocks on one address."""
    none = suite.input_set("none")
    total = 4 * THREADS
    threads = range(total)
    cases = [
        ("add.u32", "%lane", [5], [5 + sum(threads)], "b32"), ("min.s32", "%lane", [77], [0], "b32"), ("max.u32", "%lane", [77], [total - 1], "b32"),
        ("or.b32", "%lane", [0x1000], [0x1000 | 0xFF], "b32"), ("and.b32", "%lane", [0xFFFFFFFF], [0], "b32"), ("xor.b32", "%lane", [3], [3], "b32"),
        ("inc.u32", "6", [0], [total % 7], "b32"), ("dec.u32", "9", [4], [(4 - total) % 10], "b32"),
    ]
    for text, value, before, after, kind in cases:
        suite.case(f"red.global.{text} [%mem], {value};", none, [], memory=column(kind, before, after), grid=(4, 1, 1), block=(THREADS, 1, 1), opcode="contention")
        suite.case(f"atom.global.{text} %t2, [%mem], {value};", none, [], memory=column(kind, before, after), grid=(4, 1, 1), block=(THREADS, 1, 1), opcode="contention")
    # Tickets: every old value is given out once.
    body = "atom.global.add.u32 %t2, [%mem], 1; mad.wide.u32 %w1, %t2, 4, %mem; st.global.u32 [%w1+4], 1;"
    suite.case(body, none, [], memory=column("b32", [0] * (total + 1), [total] + [1] * total), grid=(4, 1, 1), block=(THREADS, 1, 1), opcode="contention")
    loop = "$again: ld.volatile.global.u32 %t2, [%mem]; add.u32 %t3, %t2, %lane; atom.global.acq_rel.gpu.cas.b32 %t4, [%mem], %t2, %t3; setp.ne.u32 %p0, %t4, %t2; @%p0 bra $again;"
    suite.case(loop, none, [], memory=column("b32", [1], [1 + sum(threads)]), grid=(4, 1, 1), block=(THREADS, 1, 1), opcode="contention")


def main():
    for name, parts in (("memory", (loads, stores, addresses, copies)), ("atomic", (atomics, float_atomics, contention, vector_atomics))):
        suite = Suite(name)
        for part in parts:
            part(suite)
        suite.write()


if __name__ == "__main__":
    main()
