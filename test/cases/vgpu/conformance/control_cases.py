"""Predicates, branches and calls with lanes that go different ways (PTX ISA section 9.7.12)."""

from cases import Suite
from values import integers

THREADS = 64
MASK = 0xFFFFFFFF


def branches(suite):
    values = [value % 1000 for value in integers(32, "control", THREADS)]
    name = suite.input_set("values", ("b32", values))

    def case(body, function, opcode, outputs=1, **extra):
        columns = [function(value, thread) for thread, value in enumerate(values)]
        columns = [[column] for column in columns] if outputs == 1 else columns
        suite.case(body, name, [("b32", [row[at] for row in columns]) for at in range(outputs)], opcode=opcode, **extra)

    nested = ("and.b32 %t2, %a, 1; setp.eq.u32 %p0, %t2, 0; @%p0 bra $even; setp.gt.u32 %p1, %a, 500; @%p1 bra $big; mov.u32 %o0, 1; bra.uni $join; $big: mov.u32 %o0, 2; bra $join; "
              "$even: and.b32 %t2, %a, 2; setp.eq.u32 %p1, %t2, 0; @!%p1 bra $two; mov.u32 %o0, 3; bra $join; $two: add.u32 %o0, %a, 4; $join: mad.lo.u32 %o0, %o0, 10, %thread;")
    case(nested, lambda v, t: 10 * ((2 if v > 500 else 1) if v & 1 else (v + 4 if v & 2 else 3)) + t, "nested branches")
    trips = "and.b32 %t2, %a, 31; mov.u32 %o0, 0; $loop: setp.eq.u32 %p0, %t2, 0; @%p0 bra $done; mad.lo.u32 %o0, %o0, 3, %t2; sub.u32 %t2, %t2, 1; bra.uni $loop; $done:"

    def counted(value, _):
        total = 0
        for step in range(value & 31, 0, -1):
            total = (total * 3 + step) & MASK
        return total

    case(trips, counted, "loops")
    collatz = ("max.u32 %t2, %a, 1; mov.u32 %o0, 0; $loop: setp.eq.u32 %p0, %t2, 1; @%p0 bra $done; and.b32 %t3, %t2, 1; setp.eq.u32 %p1, %t3, 0; add.u32 %o0, %o0, 1; @%p1 bra $even; "
               "mad.lo.u32 %t2, %t2, 3, 1; bra $loop; $even: shr.u32 %t2, %t2, 1; bra $loop; $done:")

    def steps(value, _):
        value, count = max(value, 1), 0
        while value != 1:
            value, count = (value // 2 if value % 2 == 0 else 3 * value + 1), count + 1
        return count

    case(collatz, steps, "loops")
    triangle = ("mov.u32 %o0, 0; and.b32 %t2, %a, 7; mov.u32 %t3, 0; $outer: setp.ge.u32 %p0, %t3, %t2; @%p0 bra $done; mov.u32 %t4, 0; $inner: setp.gt.u32 %p1, %t4, %t3; @%p1 bra $next; "
                "mad.lo.u32 %t5, %t3, %t4, %o0; add.u32 %o0, %t5, 1; setp.gt.u32 %p2, %o0, 40; @%p2 bra $done; add.u32 %t4, %t4, 1; bra $inner; $next: add.u32 %t3, %t3, 1; bra $outer; $done:")

    def nest(value, _):
        total = 0
        for outer in range(value & 7):
            for inner in range(outer + 1):
                total += outer * inner + 1
                if total > 40:
                    return total
        return total

    case(triangle, nest, "loops")
    early = "setp.gt.u32 %p0, %a, 600; @%p0 exit; setp.gt.u32 %p0, %a, 300; @%p0 ret; add.u32 %o0, %a, 5;"
    case(early, lambda v, _: 0 if v > 300 else v + 5, "early exits")
    # Lanes that left do not take part in what the others do together.
    gone = "setp.gt.u32 %p0, %a, 300; @%p0 exit; activemask.b32 %o0; bar.sync 0; bar.red.popc.u32 %o1, 0, 1;"
    stay = [value <= 300 for value in values]
    masks = [sum(int(kept) << lane for lane, kept in enumerate(stay[start:start + 32])) for start in (0, 32)]
    # A barrier counts whole warps (PTX ISA section 9.7.13.1), but only threads that run a reduction give it a predicate.
    suite.case(gone, name, [("b32", [masks[t // 32] if kept else 0 for t, kept in enumerate(stay)]), ("b32", [sum(stay) if kept else 0 for kept in stay])], opcode="early exits")
    table = ("and.b32 %t2, %a, 3; $ways: .branchtargets $w0, $w1, $w2, $w3; brx.idx{0} %t2, $ways; $w0: mov.u32 %o0, 10; bra $end; $w1: add.u32 %o0, %a, 11; bra $end; $w2: mov.u32 %o0, 12; $w3: add.u32 %o0, %o0, 13; $end:")
    case(table.replace("{0}", ""), lambda v, _: [10, v + 11, 25, 13][v & 3], "brx")
    case(table.replace("{0}", ".uni").replace("%a, 3;", "%thread, 0;"), lambda v, _: 10, "brx")
    guarded = "setp.lt.u32 %p0, %a, 400; mov.u32 %o0, 1; @%p0 mul.lo.u32 %o0, %a, 3; @!%p0 bra $skip; add.u32 %o0, %o0, 7; $skip: @%p0 st.global.u32 [%mem], 5; selp.u32 %o1, %a, %o0, %p0;"
    case(guarded, lambda v, _: (v * 3 + 7, v) if v < 400 else (1, 1), "guards", 2, memory={"before": {"type": "b32", "values": "1"}, "after": {"type": "b32", "values": "5"}})


def calls(suite):
    values = [value % 40 for value in integers(32, "calls", THREADS)]
    name = suite.input_set("calls", ("b32", values))
    function = (".func (.param .b32 result) power(.param .b32 base, .param .b32 count) { .reg .pred %q; .reg .b32 %x<4>; ld.param.b32 %x1, [base]; ld.param.b32 %x2, [count]; mov.u32 %x3, 1; "
                "$go: setp.eq.u32 %q, %x2, 0; @%q bra $out; mul.lo.u32 %x3, %x3, %x1; sub.u32 %x2, %x2, 1; bra $go; $out: st.param.b32 [result], %x3; ret; } ")
    call = "{ .param .b32 in0; .param .b32 in1; .param .b32 out; st.param.b32 [in0], {a}; st.param.b32 [in1], {b}; call{u} (out), power, (in0, in1); ld.param.b32 {o}, [out]; }"
    one = lambda a, b, o, u="": call.replace("{a}", a).replace("{b}", b).replace("{o}", o).replace("{u}", u)
    suite.case(one("3", "%a", "%o0"), name, [("b32", [pow(3, value, 1 << 32) for value in values])], declare=function, opcode="call")
    suite.case(one("%thread", "%a", "%o0", ".uni") + one("5", "2", "%o1", ".uni"), name,
               [("b32", [pow(thread, value, 1 << 32) for thread, value in enumerate(values)]), ("b32", [25] * THREADS)], declare=function, opcode="call")
    divergent = "setp.lt.u32 %p0, %a, 20; @!%p0 bra $skip; " + one("2", "%a", "%o0") + " $skip: add.u32 %o0, %o0, 1;"
    suite.case(divergent, name, [("b32", [(1 << value if value < 20 else 0) + 1 for value in values])], declare=function, opcode="call")
    early = (".func (.param .b32 result) pick(.param .b32 given) { .reg .pred %q; .reg .b32 %x<3>; ld.param.b32 %x1, [given]; setp.gt.u32 %q, %x1, 9; st.param.b32 [result], %x1; @%q ret; "
             "add.u32 %x2, %x1, 100; st.param.b32 [result], %x2; ret; } ")
    suite.case("{ .param .b32 in0; .param .b32 out; st.param.b32 [in0], %a; call (out), pick, (in0); ld.param.b32 %o0, [out]; }", name,
               [("b32", [value if value > 9 else value + 100 for value in values])], declare=early, opcode="call")


def main():
    suite = Suite("control")
    for part in (branches, calls):
        part(suite)
    suite.write()


if __name__ == "__main__":
    main()
