"""Words that are seldom written: hints, scopes and fences that change nothing here, vector registers, predicates of lop3 and of packed halves, barrier objects."""

import formats
from cases import Suite, signed
from float_cases import COMBINE
from formats import BF16, F16, decode
from values import float_pairs, integers

THREADS = 32


ORDERED = {"eq": lambda x, y: x == y, "ne": lambda x, y: x != y, "lt": lambda x, y: x < y, "le": lambda x, y: x <= y, "gt": lambda x, y: x > y, "ge": lambda x, y: x >= y}


def size_of(number):
    """Comparable: infinities are beyond every other number."""
    return (-1 if number.negative else 1) * 10 ** 60 if number.infinite else number.value


def compares(name, number, other):
    """Ordered comparisons fail with a NaN, unordered ones hold (PTX ISA section 9.3.2)."""
    if name in ("num", "nan"):
        return (number.nan or other.nan) == (name == "nan")
    if number.nan or other.nan:
        return name.endswith("u")
    return ORDERED[name.removesuffix("u")](size_of(number), size_of(other))


COMPARE = {name: (lambda x, y, name=name: compares(name, x, y)) for name in ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")}


def words(values, kind="b32"):
    return {"type": kind, "values": " ".join(f"{value:x}" for value in values)}


def hints(suite):
    none = suite.input_set("none")
    data = integers(32, "hints", 2 * THREADS)
    memory = {"before": words(data), "after": words(data)}
    at = "mad.wide.u32 %w0, %lane, 4, %mem; "
    own = [("b32", data[:THREADS])]
    for kind, size in (("b8", 1), ("s8", 1), ("u8", 1), ("b16", 2), ("s16", 2), ("u16", 2), ("b32", 4), ("u32", 4), ("s32", 4), ("f32", 4), ("b64", 8), ("u64", 8), ("s64", 8), ("f64", 8)):
        register = "%w1" if size == 8 else "%t2"
        value = [(data[lane] if size == 4 else data[2 * lane] | data[2 * lane + 1] << 32 if size == 8 else data[lane] & ((1 << 8 * size) - 1)) for lane in range(THREADS)]
        if kind[0] == "s":
            value = [signed(word, 8 * size) for word in value]
        address = "mad.wide.u32 %w0, %lane, 8, %mem; " if size == 8 else at
        suite.case(f"{address}ldu.global.{kind} {register}, [%w0]; mov.b{max(32, 8 * size)} %o0, {register};", none, [(f"b{max(32, 8 * size)}", value)], memory=memory, opcode="ldu")
    for count in (2, 4):
        names = ", ".join(f"%o{index}" for index in range(count))
        suite.case(f"and.b32 %t2, %lane, 7; mad.wide.u32 %w0, %t2, {4 * count}, %mem; ldu.global.v{count}.b32 {{{names}}}, [%w0];", none,
                   [("b32", [data[count * (lane % 8) + index] for lane in range(THREADS)]) for index in range(count)], memory=memory, opcode="ldu")
    quiet = ["applypriority.global.L2::evict_normal [%w0], 128;", "prefetch.local.L1 [%w1];", "griddepcontrol.wait;", "griddepcontrol.launch_dependents;", "membar.proxy.alias;", "pmevent.mask 3;",
             "fence.acquire.gpu;", "fence.release.cluster;", "fence.proxy.alias;", "fence.proxy.async;", "fence.proxy.async.global;", "fence.proxy.async.shared::cta;", "fence.mbarrier_init.release.cluster;"]
    for text in quiet:
        suite.case(f"{at}{text} ld.global.b32 %o0, [%w0];", none, own, memory=memory)
    for text in ("ld.mmio.relaxed.sys.global.b32", "ld.acquire.cluster.global.b32", "ld.global.relaxed.gpu.b32", "ld.global.L1::no_allocate.L2::128B.nc.b32"):
        suite.case(f"{at}{text} %o0, [%w0];", none, own, memory=memory, opcode="ld")
    after = [value ^ 5 for value in data[:THREADS]] + data[THREADS:]
    for text in ("st.mmio.relaxed.sys.global.b32", "st.relaxed.cluster.global.b32", "st.global.L1::evict_normal.b32", "st.global.L1::evict_unchanged.b32"):
        suite.case(f"{at}ld.global.b32 %o0, [%w0]; xor.b32 %t2, %o0, 5; {text} [%w0], %t2;", none, own, memory={"before": words(data), "after": words(after)}, opcode="st")
    # What is discarded is nothing that anybody may know; all of it is stored anew.
    suite.case("mad.wide.u32 %w0, %lane, 4, %mem; ld.global.b32 %o0, [%w0]; discard.global.L2 [%mem], 128; xor.b32 %t2, %o0, 5; st.global.b32 [%w0], %t2;", none, own,
               memory={"before": words(data), "after": words(after)})
    tile = f".shared .align 8 .b8 tile[{8 * THREADS}];"
    suite.case(f"{at}ld.global.b32 %t2, [%w0]; mov.u32 %t3, tile; mad.lo.u32 %t3, %lane, 4, %t3; st.shared::cta.b32 [%t3], %t2; ld.shared::cta.b32 %o0, [%t3];", none, own, memory=memory, declare=tile, opcode="st")
    for policy in ("createpolicy.fractional.L2::evict_last.L2::evict_first.b64 %w1, 0.5;", "createpolicy.fractional.L2::evict_normal.L2::evict_unchanged.b64 %w1, 0.5;",
                   "createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %w1, [%w0], 64, 128;", "createpolicy.cvt.L2.b64 %w1, 0x10000;"):
        suite.case(f"{at}{policy} ld.global.L2::cache_hint.b32 %o0, [%w0], %w1;", none, own, memory=memory)
    suite.case(f"{at}mov.u32 %t3, tile; mad.lo.u32 %t3, %lane, 4, %t3; createpolicy.fractional.L2::evict_last.b64 %w1, 1.0; cp.async.ca.shared.global.L2::cache_hint [%t3], [%w0], 4, %w1; cp.async.wait_all; ld.shared.b32 %o0, [%t3];",
               none, own, memory=memory, declare=tile, opcode="cp.async")
    added = [(value + 3) & 0xFFFFFFFF for value in data[:THREADS]] + data[THREADS:]
    for text in ("atom.global.add.L2::cache_hint.u32 %o0, [%w0], 3, %w1;", "atom.add.relaxed.cluster.global.u32 %o0, [%w0], 3;", "atom.global.acq_rel.gpu.add.u32 %o0, [%w0], 3;"):
        suite.case(f"{at}mov.b64 %w1, 0; {text}", none, own, memory={"before": words(data), "after": words(added)})
    for text in ("red.global.add.L2::cache_hint.u32 [%w0], 3, %w1;", "red.add.relaxed.cluster.global.u32 [%w0], 3;"):
        suite.case(f"{at}mov.b64 %w1, 0; {text}", none, [], block=(THREADS, 1, 1), memory={"before": words(data), "after": words(added)})
    shared = f"{at}ld.global.b32 %t2, [%w0]; mov.u32 %t3, tile; mad.lo.u32 %t3, %lane, 4, %t3; st.shared.b32 [%t3], %t2; "
    suite.case(f"{shared}atom.shared::cta.add.u32 %t4, [%t3], 3; red.shared::cta.add.u32 [%t3], 4; ld.shared.b32 %o0, [%t3];", none, [("b32", [value + 7 for value in data[:THREADS]])], memory=memory, declare=tile, opcode="atom")
    for space in ("const", "param", "param::entry"):
        suite.case(f"isspacep.{space} %p0, %mem; selp.u32 %o0, 1, 0, %p0;", none, [("b32", [0] * THREADS)], memory=memory)
    suite.case("mov.u64 %w0, letter; cvta.const.u64 %w1, %w0; isspacep.const %p0, %w1; isspacep.global %p1, %w1; selp.u32 %o0, 1, 0, %p0; selp.u32 %o1, 1, 0, %p1;", none,
               [("b32", [1] * THREADS), ("b32", [0] * THREADS)], memory=memory, declare=".const .align 4 .u32 letter = 7;")
    suite.case("mov.u64 %w0, tile; cvta.shared::cta.u64 %w1, %w0; isspacep.shared %p0, %w1; selp.u32 %o0, 1, 0, %p0;", none, [("b32", [1] * THREADS)], memory=memory, declare=tile)


def vectors(suite):
    values = integers(32, "vectors", THREADS)
    name = suite.input_set("vectors", ("b32", values))
    suite.case("{ .reg .v4 .b32 %v; mov.v4.b32 %v, {%a, %lane, 7, %a}; add.u32 %o0, %v.x, %v.y; add.u32 %o1, %v.z, %v.w; }", name,
               [("b32", [value + lane for lane, value in enumerate(values)]), ("b32", [value + 7 for value in values])], opcode="mov")
    suite.case("{ .reg .v2 .b32 %v<3>; mov.v2.b32 %v1, {%a, 5}; mov.b64 %w0, %v1; mov.b64 {%o0, %o1}, %w0; }", name, [("b32", values), ("b32", [5] * THREADS)], opcode="mov")
    suite.case("{ .reg .v4 .u32 %v; and.b32 %t2, %lane, 3; mad.wide.u32 %w0, %t2, 16, %mem; ld.global.v4.u32 %v, [%w0]; sub.u32 %o0, %v.w, %v.x; }", name,
               [("b32", [3] * THREADS)], memory={"before": words(range(16)), "after": words(range(16))}, opcode="mov")
    for operation, function in (("min", min), ("max", max)):
        other = integers(32, "relu", THREADS)
        both = suite.input_set("relu", ("b32", values), ("b32", other))
        suite.case(f"{operation}.relu.s32 %o0, %a, %b;", both, [("b32", [max(0, function(signed(x, 32), signed(y, 32))) for x, y in zip(values, other)])])
        halves = lambda word: (signed(word, 16), signed(word >> 16, 16))
        pair = lambda x, y: [max(0, function(left, right)) for left, right in zip(halves(x), halves(y))]
        suite.case(f"{operation}.relu.s16x2 %o0, %a, %b;", both, [("b32", [pair(x, y)[0] | pair(x, y)[1] << 16 for x, y in zip(values, other)])])


def predicates(suite):
    columns = [integers(32, f"lop3/{index}", THREADS) for index in range(3)]
    name = suite.input_set("lop3", *(("b32", column) for column in columns))
    for combine, function in (("or", lambda p, q: p or q), ("and", lambda p, q: p and q)):
        values = [x & y & z & 0xF for x, y, z in zip(*columns)]
        suite.case(f"and.b32 %t2, %a, 15; setp.gt.u32 %p1, %thread, 15; lop3.{combine}.b32 %o0|%p0, %t2, %b, %c, 0x80, %p1; selp.u32 %o1, 1, 0, %p0;", name,
                   [("b32", values), ("b32", [int(function(value != 0, lane > 15)) for lane, value in enumerate(values)])])
    for format in (F16, BF16):
        low, high = float_pairs(format, "predicates/low", THREADS), float_pairs(format, "predicates/high", THREADS)
        left, right = [x | y << 16 for x, y in zip(low[0], high[0])], [x | y << 16 for x, y in zip(low[1], high[1])]
        name = suite.input_set(f"halves-{format.name}", ("b32", left), ("b32", right))
        for comparison, compare in COMPARE.items():
            truth = lambda x, y: compare(decode(x, format), decode(y, format))
            result = [[truth(x >> bit & 0xFFFF, y >> bit & 0xFFFF) for x, y in zip(left, right)] for bit in (0, 16)]
            suite.case(f"setp.{comparison}.{format.name}x2 %p0|%p1, %a, %b; selp.u32 %o0, 1, 0, %p0; selp.u32 %o1, 1, 0, %p1;", name, [("b32", [int(bit) for bit in bits]) for bits in result])
            for kind in ("u32", "s32", f"{format.name}x2"):
                one = 0xFFFF if kind[1:] == "32" else format.bias << format.fraction_bits
                suite.case(f"set.{comparison}.{kind}.{format.name}x2 %o0, %a, %b;", name, [("b32", [one * low_bit | (one * high_bit) << 16 for low_bit, high_bit in zip(*result)])])
            for combine, function in list(COMBINE.items())[1:]:
                given = [function(bit, lane % 2 == 1) for lane, bit in enumerate(result[1])]
                suite.case(f"and.b32 %t2, %thread, 1; setp.ne.u32 %p2, %t2, 0; setp.{comparison}.{combine}.{format.name}x2 %p0|%p1, %a, %b, %p2; selp.u32 %o0, 1, 0, %p1;", name, [("b32", [int(bit) for bit in given])], opcode="setp")
    flushed = suite.input_set("flushed", ("b32", [0x00010001] * THREADS), ("b32", [0x00000000] * THREADS))
    suite.case("setp.gt.ftz.f16x2 %p0|%p1, %a, %b; selp.u32 %o0, 1, 0, %p0; setp.gt.f16x2 %p0|%p1, %a, %b; selp.u32 %o1, 1, 0, %p1;", flushed, [("b32", [0] * THREADS), ("b32", [1] * THREADS)])
    suite.case("set.gt.ftz.f16x2.f16x2 %o0, %a, %b;", flushed, [("b32", [0] * THREADS)])
    numbers = integers(32, "set", THREADS)
    name = suite.input_set("set", ("b32", numbers))
    for kind, one in (("f16", 0x3C00), ("bf16", 0x3F80)):
        suite.case(f"set.lt.{kind}.u32 %o0, %a, 1000;", name, [("b16", [one * (value < 1000) for value in numbers])])


def barriers(suite):
    none = suite.input_set("none")
    declare = ".shared .align 8 .b64 gate; .shared .align 8 .b64 other;"
    start = "setp.eq.u32 %p7, %thread, 0; @%p7 mbarrier.init.shared.b64 [gate], 32; bar.sync 0; "
    ones, zeros = [1] * THREADS, [0] * THREADS
    done = "selp.u32 %o0, 1, 0, %p0;"

    def case(text, *outputs):
        suite.case(start + text, none, [("b32", list(values)) for values in outputs], block=(THREADS, 1, 1), declare=declare, opcode="mbarrier")
    # Nobody's phase is over before all have arrived; then everybody's is.
    case("mbarrier.arrive.shared.b64 %w0, [gate]; bar.sync 0; mbarrier.test_wait.shared.b64 %p0, [gate], %w0; " + done, ones)
    case("setp.lt.u32 %p1, %thread, 31; mov.b64 %w0, 0; @%p1 mbarrier.arrive.shared::cta.b64 %w0, [gate]; bar.sync 0; mbarrier.try_wait.shared::cta.b64 %p0, [gate], %w0; " + done, zeros)
    case("mbarrier.arrive.release.cta.shared::cta.b64 _, [gate]; bar.sync 0; mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 %p0, [gate], 0; mbarrier.try_wait.parity.relaxed.cluster.shared.b64 %p1, [gate], 1; "
         + done + " selp.u32 %o1, 1, 0, %p1;", ones, zeros)
    case("mbarrier.arrive.shared.b64 %w0, [gate]; mbarrier.pending_count.b64 %o0, %w0;", range(32, 0, -1))
    # One thread arrives for all; another way is that half of them leave for good.
    case("@%p7 mbarrier.arrive.noComplete.relaxed.cluster.shared.b64 %w0, [gate], 31; @%p7 mbarrier.arrive.shared.b64 %w0, [gate], 1; bar.sync 0; mbarrier.test_wait.parity.shared.b64 %p0, [gate], 0; " + done, ones)
    case("setp.lt.u32 %p1, %thread, 16; @!%p1 mbarrier.arrive_drop.shared.b64 %w0, [gate]; @%p1 mbarrier.arrive.shared.b64 %w0, [gate]; bar.sync 0; "
         "@%p1 mbarrier.arrive.shared.b64 %w0, [gate]; bar.sync 0; mbarrier.test_wait.parity.shared.b64 %p0, [gate], 1; " + done, ones)
    # Bytes that are announced are waited for.
    case("mbarrier.arrive.expect_tx.shared.b64 %w0, [gate], 4; bar.sync 0; mbarrier.test_wait.shared.b64 %p0, [gate], %w0; mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [gate], 4; bar.sync 0; "
         "mbarrier.test_wait.shared.b64 %p1, [gate], %w0; " + done + " selp.u32 %o1, 1, 0, %p1;", zeros, ones)
    case("@%p7 mbarrier.expect_tx.relaxed.cluster.shared.b64 [gate], 8; bar.sync 0; mbarrier.arrive.shared.b64 %w0, [gate]; bar.sync 0; mbarrier.test_wait.shared.b64 %p0, [gate], %w0; @%p7 mbarrier.complete_tx.shared.b64 [gate], 8; bar.sync 0; "
         "mbarrier.test_wait.shared.b64 %p1, [gate], %w0; " + done + " selp.u32 %o1, 1, 0, %p1;", zeros, ones)
    case("cp.async.mbarrier.arrive.noinc.shared.b64 [gate]; bar.sync 0; mbarrier.test_wait.parity.shared.b64 %p0, [gate], 0; cp.async.mbarrier.arrive.shared::cta.b64 [gate]; mbarrier.test_wait.parity.shared.b64 %p1, [gate], 1; "
         + done + " selp.u32 %o1, 1, 0, %p1; @%p7 mbarrier.inval.shared.b64 [gate];", ones, zeros)
    # A generic address.
    case("mov.u64 %w1, other; cvta.shared.u64 %w1, %w1; @%p7 mbarrier.init.b64 [%w1], 64; bar.sync 0; mbarrier.arrive.b64 %w0, [%w1], 2; bar.sync 0; mbarrier.test_wait.b64 %p0, [%w1], %w0; " + done, ones)


def partial_copies(suite):
    """Bytes behind a partial source are zero and need not exist: the buffer ends with the last thread's bytes."""
    none = suite.input_set("none")
    for size in (4, 8, 16):
        count = size * (THREADS - 1) + 1
        data = [(7 * index + 3) % 256 for index in range(count)]
        kept = lambda lane: 1 if lane == THREADS - 1 else lane % (size + 1)
        expected = [[data[size * lane + at] if at < kept(lane) else 0 for at in range(size)] for lane in range(THREADS)]
        read = " ".join(f"ld.shared.u32 %o{at // 4}, [%t2+{at}];" for at in range(0, size, 4))
        body = (f"mov.u32 %t2, tile; mad.lo.u32 %t2, %thread, {size}, %t2; mad.wide.u32 %w0, %thread, {size}, %mem; rem.u32 %t3, %thread, {size + 1}; setp.eq.u32 %p0, %thread, 31; selp.u32 %t3, 1, %t3, %p0; "
                f"cp.async.ca.shared.global [%t2], [%w0], {size}, %t3; cp.async.wait_all; {read}")
        outputs = [("b32", [sum(byte << 8 * index for index, byte in enumerate(row[at:at + 4])) for row in expected]) for at in range(0, size, 4)]
        suite.case(body, none, outputs, memory={"before": words(data, "b8"), "after": words(data, "b8")}, declare=f".shared .align 16 .b8 tile[{size * THREADS}];", opcode="cp.async")


def main():
    suite = Suite("words")
    for part in (hints, vectors, predicates, barriers, partial_copies):
        part(suite)
    suite.write()


if __name__ == "__main__":
    main()
