import { describe, expect, it } from "vitest";
import { DeviceMemory, type LaunchRequest, launch } from "../../../../server/core/vgpu/index";
import { address, compileText } from "../support";
import { snippet } from "../snippets";

/** %rd0: "data"; %r0, %r1: thread and block. */
const start = "ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;";

/** Each finding as `kind: access of LINE against access of LINE`, and whether the order was lost. */
function told(
  body: string,
  bytes: number,
  request: Pick<LaunchRequest, "grid" | "block">,
): readonly string[] {
  const memory = new DeviceMemory();
  const data = memory.allocate("data", bytes, { initial: new Uint8Array(bytes) });
  const kernel = compileText(snippet(["u64"], `${start}\n${body}`, ".shared .b32 count;"), "kernel", {
    detectors: true,
  });
  const outcome = launch(kernel, {
    ...request,
    dynamicSharedBytes: 0,
    arguments: [address(data)],
    instructionBudget: 1e8,
    faults: "report",
    memory,
  });
  if (outcome.kind !== "completed") throw new Error(outcome.kind);
  const findings = outcome.findings.map(
    ({ kind, line, other }) => `${kind}: ${line} against ${other?.access} of ${other?.line}`,
  );
  return outcome.isOrderLost ? [...findings, "order lost"] : findings;
}

/**
 * Sixteen blocks of four warps add to the same 1,024 words, as split-K products do. The last one, counted in
 * the word behind, reads them and stores them back.
 */
const tile = (add: string, count: string): string => `mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd0, %rd1;
  mov.u64 %rd2, %rd1; mov.u32 %r3, 0;
  .loc 1 4 1
  $add: ${add} [%rd2], 1; add.u64 %rd2, %rd2, 512; add.u32 %r3, %r3, 1; setp.lt.u32 %p0, %r3, 8;
  @%p0 bra $add;
  bar.sync 0; setp.ne.u32 %p1, %r0, 0; @%p1 bra $counted;
  .loc 1 6 1
  ${count} %r5, [%rd0+4096], 1; st.shared.u32 [count], %r5;
  $counted: bar.sync 0; ld.shared.u32 %r5, [count]; setp.ne.u32 %p1, %r5, 15; @%p1 ret;
  mov.u64 %rd2, %rd1; mov.u32 %r3, 0;
  .loc 1 8 1
  $read: ld.global.u32 %r5, [%rd2]; add.u32 %r5, %r5, 1; st.global.u32 [%rd2], %r5; add.u64 %rd2, %rd2, 512; add.u32 %r3, %r3, 1; setp.lt.u32 %p0, %r3, 8; @%p0 bra $read;`;

/** Every thread adds to forty words, then adds to the one that a lock guards. */
const lock = (leave: string): string => `mov.u64 %rd1, %rd0; mov.u32 %r3, 0;
  $add: atom.global.add.u32 %r4, [%rd1+64], 1; add.u64 %rd1, %rd1, 4; add.u32 %r3, %r3, 1;
  setp.lt.u32 %p0, %r3, 40; @%p0 bra $add;
  $spin: atom.global.cas.b32 %r6, [%rd0], 0, 1; setp.ne.u32 %p0, %r6, 0; @%p0 bra $spin; membar.gl;
  .loc 1 4 1
  ld.global.u32 %r7, [%rd0+4]; add.u32 %r7, %r7, 1; st.global.u32 [%rd0+4], %r7; ${leave}`;

describe("synchronisation at many places", () => {
  it.each<[string, string, readonly string[]]>([
    [
      "a tile of atomics that release and acquire",
      tile("atom.acq_rel.gpu.global.add.u32 %r4,", "atom.acq_rel.gpu.global.add.u32"),
      [],
    ],
    [
      "a tile of atomics that release",
      tile("atom.release.gpu.global.add.u32 %r4,", "atom.acq_rel.gpu.global.add.u32"),
      [],
    ],
    [
      "a tile of reductions and a fence",
      tile("red.release.gpu.global.add.u32", "membar.gl; atom.global.add.u32"),
      [],
    ],
    [
      "a tile of atomics that release, counted without order",
      tile("atom.release.gpu.global.add.u32 %r4,", "atom.relaxed.gpu.global.add.u32"),
      ["global-race: 8 against atomic of 4", "global-race: 8 against atomic of 4"],
    ],
  ])("%s", (_, body, expected) => {
    expect(told(body, 4100, { grid: [16, 1, 1], block: [128, 1, 1] })).toEqual(expected);
  });

  it.each<[string, string, readonly string[]]>([
    ["a lock that hundreds try", lock("membar.gl; atom.global.exch.b32 %r6, [%rd0], 0;"), []],
    [
      "a lock that is left without a fence",
      lock("atom.global.exch.b32 %r6, [%rd0], 0;"),
      ["global-race: 4 against write of 4"],
    ],
  ])("%s", (_, body, expected) => {
    expect(told(body, 256, { grid: [4, 1, 1], block: [96, 1, 1] })).toEqual(expected);
  });

  it("more of them than are kept: nothing is told that is none, and that the order was lost", () => {
    const body = `mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd0, %rd1; add.u64 %rd1, %rd1, 64; mov.u32 %r3, 0; setp.ne.u32 %p1, %r1, 0; @%p1 bra $other;
      .loc 1 4 1
      st.global.u32 [%rd0], 7; membar.gl;
      $release: red.global.add.u32 [%rd1], 1; add.u64 %rd1, %rd1, 4096; add.u32 %r3, %r3, 1;
      setp.lt.u32 %p0, %r3, 1100; @%p0 bra $release;
      bra.uni $end;
      $other: atom.global.add.u32 %r4, [%rd0+64], 0; setp.eq.u32 %p0, %r4, 0; @%p0 bra $other; membar.gl;
      .loc 1 9 1
      ld.global.u32 %r5, [%rd0]; $end:`;
    expect(told(body, 64 + 1100 * 4096, { grid: [2, 1, 1], block: [1024, 1, 1] })).toEqual(["order lost"]);
  });
});
