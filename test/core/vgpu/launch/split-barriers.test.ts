import { describe, expect, it } from "vitest";
import { DeviceMemory, launch } from "../../../../server/core/vgpu/index";
import { snippet } from "../snippets";
import { address, compileText } from "../support";

const start =
  "ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x; mov.u32 %r4, tile; mad.lo.u32 %r4, %r0, 4, %r4; mad.wide.u32 %rd1, %r0, 4, %rd0; setp.lt.u32 %p1, %r0, 7; mov.u32 %r9, 0;";

/** Runs a body with two warps: what each thread stored to its word, or how it ended. */
function run(body: string, block = 64): readonly number[] | string {
  const memory = new DeviceMemory();
  const data = memory.allocate("data", 4 * block, { initial: new Uint8Array(4 * block) });
  const kernel = compileText(
    snippet(["u64"], `${start}\n${body}`, ".shared .align 4 .b8 tile[512];"),
    "kernel",
    { detectors: true },
  );
  const outcome = launch(kernel, {
    grid: [1, 1, 1],
    block: [block, 1, 1],
    dynamicSharedBytes: 0,
    arguments: [address(data)],
    memory,
    instructionBudget: 1e6,
    faults: "report",
  });
  if (outcome.kind === "fault") return outcome.finding.message;
  if (outcome.kind !== "completed" || outcome.findings.length > 0)
    return outcome.kind === "completed"
      ? outcome.findings.map(({ message }) => message).join("\n")
      : outcome.kind;
  return [...new Uint32Array(memory.read(data).buffer)];
}

/**
 * Each thread stores its number, comes to one of two barriers, and reads what the thread at the other end
 * stored.
 */
const exchange = (one: string, other: string): string => `st.shared.u32 [%r4], %r0; @%p1 bra $a;
  .loc 1 5 1
  ${one} bra.uni $b;
  .loc 1 6 1
  $a: ${other}
  $b: mov.u32 %r5, tile; sub.u32 %r6, 63, %r0; mad.lo.u32 %r5, %r6, 4, %r5; ld.shared.u32 %r7, [%r5]; st.global.u32 [%rd1], %r7;`;
const exchanged = Array.from({ length: 64 }, (_, thread) => 63 - thread);

/**
 * A reduction of %p2 (threads below 3 and thread 40) that lanes come to at two places; its result as a
 * number.
 */
const reduction = (operation: string, negation = ""): string => {
  const isCount = operation.startsWith("popc");
  const at = (register: number): string =>
    `barrier.red.${operation} ${isCount ? `%r${register}` : `%p${register}`}, 0, ${negation}%p2; ${isCount ? `mov.u32 %r20, %r${register};` : `selp.u32 %r20, 1, 0, %p${register};`}`;
  return `setp.lt.u32 %p2, %r0, 3; setp.eq.or.u32 %p2, %r0, 40, %p2; @%p1 bra $a; ${at(8)} bra.uni $b; $a: ${at(6)} $b: st.global.u32 [%rd1], %r20;`;
};
const all = (value: number): readonly number[] => Array.from({ length: 64 }, () => value);

describe("lanes of a warp that come to a barrier at different places", () => {
  it.each<[string, string, readonly number[] | string]>([
    ["meet at barrier.sync", exchange("barrier.sync 0;", "barrier.sync 0;"), exchanged],
    [
      "meet at a barrier for a number of threads, whose number is in a register",
      exchange("mov.u32 %r8, 3; barrier.sync %r8, 64;", "add.u32 %r10, %r9, 3; barrier.cta.sync %r10, 64;"),
      exchanged,
    ],
    [
      "are not all there: one has ended",
      `setp.eq.u32 %p3, %r0, 9; st.shared.u32 [%r4], %r0; @%p3 ret; ${exchange("barrier.sync 0;", "barrier.sync 0;")}`,
      exchanged.map((value, thread) => (thread === 9 ? 0 : value)),
    ],
    [
      "arrive",
      `st.shared.u32 [%r4], %r0; setp.lt.u32 %p3, %r0, 32; @!%p3 bra $wait; @%p1 bra $a; barrier.arrive 1, 64; bra.uni $end; $a: barrier.arrive 1, 64; bra.uni $end;
      $wait: barrier.sync 1, 64; ld.shared.u32 %r7, [%r4+-128]; st.global.u32 [%rd1], %r7; $end:`,
      Array.from({ length: 64 }, (_, thread) => Math.max(0, thread - 32)),
    ],
    ["count", reduction("popc.u32"), all(4)],
    ["count what does not hold", reduction("popc.u32", "!"), all(60)],
    ["ask whether any holds", reduction("or.pred"), all(1)],
    ["ask whether all hold", reduction("and.pred"), all(0)],
    [
      "come at different times, in a loop",
      "mov.u32 %r1, 0; $l: @%p1 bra $a; barrier.sync 0; bra.uni $b; $a: barrier.sync 0; $b: add.u32 %r1, %r1, 1; setp.lt.u32 %p0, %r1, 5; @%p0 bra $l; st.global.u32 [%rd1], %r1;",
      all(5),
    ],
  ])("%s", (_, body, expected) => {
    expect(run(body)).toEqual(expected);
  });

  it.each<[string, string, string]>([
    ["at bar.sync", exchange("bar.sync 0;", "bar.sync 0;"), "which waits at barrier 0 on line 6"],
    [
      "at barrier.sync.aligned",
      exchange("barrier.sync.aligned 0;", "barrier.sync.aligned 0;"),
      "which waits at barrier 0 on line 6",
    ],
    ["one aligned", exchange("barrier.sync 0;", "bar.sync 0;"), "which waits at barrier 0 on line 6"],
    [
      "at different barriers",
      exchange("barrier.sync 1;", "barrier.sync 2;"),
      "which waits at barrier 2 on line 6",
    ],
    [
      "for different numbers of threads",
      exchange("barrier.sync 1, 64;", "barrier.sync 1, 32;"),
      "which waits at barrier 1 on line 6",
    ],
    [
      "some only arrive",
      exchange("barrier.sync 1, 64;", "barrier.arrive 1, 64;"),
      "which waits at barrier 1 on line 6",
    ],
  ])("are told: %s", (_, body, where) => {
    expect(run(body)).toBe(
      `divergent barrier: thread (7,0,0) of block (0,0,0) waits at a barrier apart from thread (0,0,0) of its warp, ${where}`,
    );
  });
});
