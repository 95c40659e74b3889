"""Shuffles, votes, matches, reductions over a warp, barriers and special registers (PTX ISA sections 9.7.9.6, 9.7.13, 10)."""

import random
from functools import reduce

from cases import Suite, of_type
from values import integers

FULL = 0xFFFFFFFF
THREADS = 64
LANES = [thread % 32 for thread in range(THREADS)]


def shuffled(mode, values, selectors, controls, members):
    """shfl as PTX ISA section 9.7.9.6 spells it; lanes outside of `members` deliver 0 and false."""
    results, inside = [], []
    for thread, lane in enumerate(LANES):
        if not members >> lane & 1:
            results.append(0)
            inside.append(0)
            continue
        amount, control, segment = selectors[thread] & 31, controls[thread] & 31, controls[thread] >> 8 & 31
        most, least = (lane & segment) | (control & ~segment & 31), lane & segment
        source = {"up": lane - amount, "down": lane + amount, "bfly": lane ^ amount, "idx": least | (amount & ~segment & 31)}[mode]
        good = source >= most if mode == "up" else source <= most
        source = source if good else lane
        results.append(values[thread - lane + source] if members >> source & 1 else values[thread])
        inside.append(int(good))
    return results, inside


def shuffles(suite):
    source = random.Random("shuffles")
    values = integers(32, "shuffle", THREADS)
    for mode in ("up", "down", "bfly", "idx"):
        for width in (32, 16, 8, 4, 1):
            control = (32 - width) << 8 | (0 if mode == "up" else 31)
            for amount in (0, 1, 3, 16, 31):
                name = suite.input_set("values", ("b32", values))
                data, good = shuffled(mode, values, [amount] * THREADS, [control] * THREADS, FULL)
                suite.case(f"shfl.sync.{mode}.b32 %o0|%p0, %a, {amount}, 0x{control:x}, -1; selp.b32 %o1, 1, 0, %p0;", name, [("b32", data), ("b32", good)])
        selectors, controls = [source.getrandbits(32) for _ in LANES], [source.getrandbits(13) for _ in LANES]
        name = suite.input_set(f"selectors-{mode}", ("b32", values), ("b32", selectors), ("b32", controls))
        data, good = shuffled(mode, values, selectors, controls, FULL)
        suite.case(f"shfl.sync.{mode}.b32 %o0|%p0, %a, %b, %c, 0xffffffff; selp.b32 %o1, 1, 0, %p0;", name, [("b32", data), ("b32", good)])
        suite.case(f"shfl.sync.{mode}.b32 %o0, %a, %b, %c, 0xffffffff;", name, [("b32", data)])
        # Half of the warp on either side of a branch; sources stay inside of the half.
        halves = [[0] * THREADS, [0] * THREADS]
        control_word = 0x1000 if mode == "up" else 0x101F
        for half, members in enumerate((0xFFFF, 0xFFFF0000)):
            halves[half] = shuffled(mode, values, [3] * THREADS, [control_word] * THREADS, members)[0]
        body = (f"and.b32 %t2, %thread, 16; setp.eq.u32 %p0, %t2, 0; @%p0 bra $low; shfl.sync.{mode}.b32 %o0, %a, 3, 0x{control_word:x}, 0xffff0000; bra.uni $end; "
                f"$low: shfl.sync.{mode}.b32 %o0, %a, 3, 0x{control_word:x}, 0xffff; $end:")
        suite.case(body, suite.input_set("values", ("b32", values)), [("b32", [low | high for low, high in zip(*halves)])], opcode="shfl")
    data = [values[thread ^ 1] for thread in range(THREADS)]
    suite.case("shfl.bfly.b32 %o0, %a, 1, 31;", suite.input_set("values", ("b32", values)), [("b32", data)])


def by_warp(values, function):
    """Applies a function to each warp's list and joins the results."""
    return [result for start in range(0, THREADS, 32) for result in function(values[start:start + 32])]


def votes(suite):
    source = random.Random("votes")
    patterns = {"mixed": [source.getrandbits(1) for _ in LANES], "all": [1] * THREADS, "none": [0] * THREADS, "one": [int(thread == 37) for thread in range(THREADS)]}
    for label, bits in patterns.items():
        name = suite.input_set(f"votes-{label}", ("b32", bits))
        head = "setp.ne.u32 %p0, %a, 0; "
        for members in (FULL, 0x000FFF0F):
            for negated in ("", "!"):
                holds = [bit ^ (negated == "!") for bit in bits]
                inside = [members >> lane & 1 for lane in LANES]
                results = {
                    "all": lambda warp: [int(all(bit for bit, _ in warp))] * 32, "any": lambda warp: [int(any(bit for bit, _ in warp))] * 32,
                    "uni": lambda warp: [int(len({bit for bit, _ in warp}) == 1)] * 32,
                    "ballot": lambda warp: [sum(int(bit) << lane for bit, lane in warp)] * 32,
                }
                for mode, function in results.items():
                    rows = list(zip(holds, LANES, inside))
                    voted = by_warp(rows, lambda warp: function([(bit, lane) for bit, lane, part in warp if part]))
                    expected = [value if part else 0 for value, part in zip(voted, inside)]
                    enter = "" if members == FULL else f"shr.u32 %t2, 0x{members:x}, %t3; and.b32 %t2, %t2, 1; setp.eq.u32 %p3, %t2, 0; @%p3 bra $end; "
                    lane = "" if members == FULL else "mov.u32 %t3, %laneid; "
                    vote = (f"vote.sync.ballot.b32 %o0, {negated}%p0, 0x{members:x};" if mode == "ballot" else
                            f"vote.sync.{mode}.pred %p1, {negated}%p0, 0x{members:x}; selp.b32 %o0, 1, 0, %p1;")
                    suite.case(head + lane + enter + vote + (" $end:" if enter else ""), name, [("b32", expected)], opcode="vote")


def matches(suite):
    source = random.Random("matches")
    for bits in (32, 64):
        few = [source.choice([3, 5, 1 << (bits - 1), (1 << bits) - 1, (1 << (bits - 1)) + 5]) for _ in LANES]
        same = [7 << (bits - 4)] * 32 + [7 << (bits - 4)] * 31 + [1]
        for label, values in (("few", few), ("same", same)):
            name = suite.input_set(f"match{bits}-{label}", (f"b{bits}", values))
            any_of = by_warp(values, lambda warp: [sum((other == value) << lane for lane, other in enumerate(warp)) for value in warp])
            suite.case(f"match.any.sync.b{bits} %o0, %a, -1;", name, [("b32", any_of)])
            all_of = by_warp(values, lambda warp: [FULL if len(set(warp)) == 1 else 0] * 32)
            suite.case(f"match.all.sync.b{bits} %o0|%p0, %a, 0xffffffff; selp.b32 %o1, 1, 0, %p0;", name, [("b32", all_of), ("b32", [int(bool(value)) for value in all_of])])
            suite.case(f"match.all.sync.b{bits} %o0, %a, 0xffffffff;", name, [("b32", all_of)])
            part = by_warp(values, lambda warp: [sum((other == value) << lane for lane, other in enumerate(warp) if lane < 11) if at < 11 else 0 for at, value in enumerate(warp)])
            suite.case(f"mov.u32 %t2, %laneid; setp.ge.u32 %p0, %t2, 11; @%p0 bra $end; match.any.sync.b{bits} %o0, %a, 0x7ff; $end:", name, [("b32", part)], opcode="match")


def reductions(suite):
    values = integers(32, "redux", THREADS)
    name = suite.input_set("redux", ("b32", values))
    operations = {"add": lambda x, y: x + y, "min": min, "max": max, "and": lambda x, y: x & y, "or": lambda x, y: x | y, "xor": lambda x, y: x ^ y}
    for operation, function in operations.items():
        for kind in (("u32", "s32") if operation in ("add", "min", "max") else ("b32",)):
            for members in (FULL, 0x0000FFFE):
                expected = by_warp(values, lambda warp: [
                    reduce(function, [of_type(value, kind) for lane, value in enumerate(warp) if members >> lane & 1]) if members >> at & 1 else 0 for at in range(32)])
                enter = "" if members == FULL else "mov.u32 %t2, %laneid; sub.u32 %t2, %t2, 1; setp.ge.u32 %p0, %t2, 15; @%p0 bra $end; "
                suite.case(f"{enter}redux.sync.{operation}.{kind} %o0, %a, 0x{members:x};{' $end:' if enter else ''}", name, [("b32", expected)], opcode="redux")


def others(suite):
    none = suite.input_set("none")
    suite.case("activemask.b32 %o0;", none, [("b32", [FULL] * THREADS)])
    suite.case("setp.ge.u32 %p0, %thread, 45; @%p0 bra $end; activemask.b32 %o0; $end:", none,
               [("b32", [FULL] * 32 + [0x1FFF] * 13 + [0] * 19)], opcode="activemask")
    suite.case("and.b32 %t2, %thread, 5; setp.eq.u32 %p0, %t2, 1; @!%p0 activemask.b32 %o0;", none,
               [("b32", [0 if thread & 5 == 1 else sum(1 << lane for lane in range(32) if lane & 5 != 1) for thread in range(THREADS)])], opcode="activemask")
    suite.case("elect.sync %o0|%p0, -1; selp.b32 %o1, 1, 0, %p0;", none, [("b32", [0] * THREADS), ("b32", [int(lane == 0) for lane in LANES])])
    suite.case("mov.u32 %t2, %laneid; setp.lt.u32 %p1, %t2, 9; @%p1 bra $end; elect.sync _|%p0, 0xfffffe00; selp.b32 %o0, 1, 0, %p0; $end:", none,
               [("b32", [int(lane == 9) for lane in LANES])], opcode="elect")
    suite.case("bar.warp.sync -1; mov.u32 %o0, %laneid;", none, [("b32", LANES)])
    suite.case("fence.sc.cta; fence.acq_rel.gpu; fence.acq_rel.sys; membar.cta; membar.gl; membar.sys; nanosleep.u32 20; pmevent 3; mov.u32 %o0, 3;", none,
               [("b32", [3] * THREADS)])


def special(suite):
    none = suite.input_set("none")
    grid, block = (2, 3, 2), (5, 4, 3)
    per_block = 60
    rows = []
    for index in range(12 * per_block):
        blocks, thread = divmod(index, per_block)
        rows.append({
            "%tid.x": thread % 5, "%tid.y": thread // 5 % 4, "%tid.z": thread // 20, "%ntid.x": 5, "%ntid.y": 4, "%ntid.z": 3,
            "%ctaid.x": blocks % 2, "%ctaid.y": blocks // 2 % 3, "%ctaid.z": blocks // 6, "%nctaid.x": 2, "%nctaid.y": 3, "%nctaid.z": 2,
            "%laneid": thread % 32, "%warpid": thread // 32, "%nwarpid": 2, "%lanemask_eq": 1 << thread % 32, "%lanemask_lt": (1 << thread % 32) - 1,
            "%lanemask_le": (2 << thread % 32) - 1, "%lanemask_gt": FULL & ~((2 << thread % 32) - 1), "%lanemask_ge": FULL & ~((1 << thread % 32) - 1),
            "WARP_SZ": 32,
        })
    for name in rows[0]:
        suite.case(f"mov.u32 %o0, {name};", none, [("b32", [row[name] for row in rows])], grid=grid, block=block, opcode="special registers")
    suite.case("cvt.u64.u32 %o0, %tid.y; mov.u16 %o1, 5;", none, [("b64", [row["%tid.y"] for row in rows]), ("b16", [5] * len(rows))], grid=grid, block=block, opcode="special registers")
    times = "mov.u32 %t2, %clock; mov.u64 %w2, %clock64; mov.u64 %w3, %globaltimer; add.u32 %t4, %t2, 1; mov.u64 %w4, %clock64; setp.le.u64 %p0, %w2, %w4; selp.b32 %o0, 1, 0, %p0;"
    suite.case(times, none, [("b32", [1] * THREADS)], opcode="special registers")


def barriers(suite):
    none = suite.input_set("none")
    holds = [thread % 3 == 0 for thread in range(THREADS)]
    for spelled in ("bar.red", "barrier.cta.red", "bar.cta.red", "barrier.red"):
        aligned = ".aligned" if spelled.startswith("barrier") else ""
        head = "rem.u32 %t2, %thread, 3; setp.eq.u32 %p0, %t2, 0; "
        for negated in ("", "!"):
            count = sum(hold != (negated == "!") for hold in holds)
            suite.case(f"{head}{spelled}.popc{aligned}.u32 %o0, 0, {negated}%p0;", none, [("b32", [count] * THREADS)], opcode="barrier reductions")
        suite.case(f"{head}{spelled}.and{aligned}.pred %p1, 1, %p0; selp.b32 %o0, 1, 0, %p1; setp.lt.u32 %p2, %thread, 900; {spelled}.and{aligned}.pred %p1, 1, %p2; selp.b32 %o1, 1, 0, %p1;",
                   none, [("b32", [0] * THREADS), ("b32", [1] * THREADS)], opcode="barrier reductions")
        suite.case(f"{head}{spelled}.or{aligned}.pred %p1, 2, {THREADS}, %p0; selp.b32 %o0, 1, 0, %p1; {spelled}.or{aligned}.pred %p1, 2, {THREADS}, !%p0; selp.b32 %o1, 1, 0, %p1;",
                   none, [("b32", [1] * THREADS)] * 2, opcode="barrier reductions")
    declare = ".shared .align 4 .b8 tile[512];"
    exchange = "mov.u32 %t2, tile; mad.lo.u32 %t3, %thread, 4, %t2; st.shared.u32 [%t3], %thread; {0} xor.b32 %t4, %thread, 63; mad.lo.u32 %t4, %t4, 4, %t2; ld.shared.u32 %o0, [%t4];"
    for barrier in ("bar.sync 0;", "bar.sync 3, 64;", "bar.cta.sync 1;", "barrier.sync 2;", "barrier.cta.sync.aligned 0;", "barrier.sync.aligned 4, 64;", "mov.u32 %t5, 5; bar.sync %t5;"):
        suite.case(exchange.format(barrier), none, [("b32", [thread ^ 63 for thread in range(THREADS)])], declare=declare, opcode="barriers")
    # The first warp produces and goes on, the second waits for it.
    for arrive, wait in (("bar.arrive", "bar.sync"), ("bar.cta.arrive", "bar.cta.sync"), ("barrier.arrive", "barrier.sync"), ("barrier.cta.arrive.aligned", "barrier.cta.sync.aligned")):
        body = (f"mov.u32 %t2, tile; and.b32 %t3, %thread, 31; mad.lo.u32 %t3, %t3, 4, %t2; setp.lt.u32 %p0, %thread, 32; @%p0 bra $produce; {wait} 1, 64; ld.shared.u32 %o0, [%t3]; "
                f"bra.uni $end; $produce: mul.lo.u32 %t4, %thread, 7; st.shared.u32 [%t3], %t4; {arrive} 1, 64; $end:")
        suite.case(body, none, [("b32", [0] * 32 + [lane * 7 for lane in range(32)])], declare=declare, opcode="barriers")


def main():
    suite = Suite("warp")
    for part in (shuffles, votes, matches, reductions, others, special, barriers):
        part(suite)
    suite.write()


if __name__ == "__main__":
    main()
