import { describe, expect, it } from "vitest";
import { DeviceMemory, type LaunchRequest, launch } from "../../../../server/core/vgpu/index";
import { expectCase } from "../../../harness/cases";
import { snippet } from "../snippets";
import { address, compileText } from "../support";

interface Case extends Partial<LaunchRequest> {
  readonly body: string;
}

const start = "ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r5, objects;";

/** A wait on line 4 for the word at %rd1. */
const wait =
  ".loc 1 4 1\n$wait: ld.volatile.global.u32 %r2, [%rd1]; setp.eq.u32 %p0, %r2, 0; @%p0 bra $wait;";

/** Kernels whose threads wait for ever, on 64 bytes of zeroes called "flags". */
const cases: Readonly<Record<string, Case>> = {
  "each block for a word of its own": {
    grid: [3, 1, 1],
    block: [1, 1, 1],
    body: `mad.wide.u32 %rd1, %r1, 4, %rd0;\n${wait}`,
  },
  "one block, others have ended": {
    grid: [5, 1, 1],
    block: [2, 1, 1],
    body: `setp.ne.u32 %p1, %r1, 2; @%p1 ret; setp.eq.u32 %p1, %r0, 1; @%p1 ret; add.u64 %rd1, %rd0, 8;\n${wait}`,
  },
  "for an address that the loop computes": {
    block: [1, 1, 1],
    body: ".loc 1 4 1\n$wait: add.u64 %rd1, %rd0, 8; ld.volatile.global.u32 %r2, [%rd1]; setp.eq.u32 %p0, %r2, 0; @%p0 bra $wait;",
  },
  "a warp in a loop, one at a barrier, one at another": {
    block: [128, 1, 1],
    body: `mov.u64 %rd1, %rd0; setp.lt.u32 %p1, %r0, 32; @%p1 bra $wait; setp.ge.u32 %p1, %r0, 96; @%p1 ret; setp.ge.u32 %p1, %r0, 64; @%p1 bra $other;
      .loc 1 6 1\nbar.sync 0; ret;\n.loc 1 7 1\n$other: bar.sync 1, 96; ret;\n${wait}`,
  },
  "for a lock that another lane holds": {
    block: [32, 1, 1],
    body: `setp.ne.u32 %p1, %r0, 0; @%p1 bra $lock; atom.global.exch.b32 %r2, [%rd0+4], 1;\n.loc 1 3 1\n$first: ld.volatile.global.u32 %r2, [%rd0+8]; setp.eq.u32 %p0, %r2, 0; @%p0 bra $first;
      .loc 1 4 1\n$lock: atom.global.cas.b32 %r2, [%rd0+4], 0, 1; setp.ne.u32 %p0, %r2, 0; @%p0 bra $lock;`,
  },
  "at a barrier object": {
    block: [64, 1, 1],
    body: `setp.eq.u32 %p1, %r0, 0; @%p1 mbarrier.init.shared.b64 [objects+8], 65; bar.sync 0; mbarrier.arrive.shared.b64 %rd1, [objects+8]; setp.ge.u32 %p1, %r0, 32; @%p1 bra $generic;
      .loc 1 5 1\n$named: mbarrier.try_wait.shared.b64 %p0, [objects+8], %rd1; @!%p0 bra $named; ret;
      $generic: add.u32 %r5, %r5, 8;\n.loc 1 6 1\n$wait: mbarrier.test_wait.shared.b64 %p0, [%r5], %rd1; @!%p0 bra $wait;`,
  },
  "for a variable of the module": {
    block: [1, 1, 1],
    body: ".loc 1 4 1\n$wait: ld.volatile.global.u32 %r2, [turn+4]; setp.eq.u32 %p0, %r2, 0; @%p0 bra $wait;",
  },
  "in more blocks than there is room for": {
    grid: [9, 1, 1],
    block: [32, 1, 1],
    residentBlocks: 2,
    body: `mov.u64 %rd1, %rd0;\n${wait}`,
  },
  "a barrier while the other warps have ended": {
    block: [96, 1, 1],
    body: "setp.ge.u32 %p1, %r0, 32; @%p1 ret;\n.loc 1 4 1\nbar.sync 1, 96;",
  },
  "at as many barriers as there are warps": {
    block: [192, 1, 1],
    body: Array.from(
      { length: 6 },
      (_, warp) =>
        `setp.ge.u32 %p1, %r0, ${32 * warp + 32}; @%p1 bra $next${warp};\n.loc 1 ${10 + warp} 1\nbar.sync ${warp}, 64;\n$next${warp}:`,
    ).join("\n"),
  },
};

function told(detectors: boolean, { body, ...request }: Case): string {
  const memory = new DeviceMemory();
  const flags = memory.allocate("flags", 64, { initial: new Uint8Array(64) });
  const text = snippet(["u64"], `${start}\n${body}`, ".shared .align 8 .b8 objects[64];").replace(
    ".visible .entry",
    ".global .align 4 .b32 turn[2];\n.visible .entry",
  );
  const outcome = launch(compileText(text, "kernel", { detectors }), {
    grid: [1, 1, 1],
    block: [64, 1, 1],
    dynamicSharedBytes: 0,
    arguments: [address(flags)],
    memory,
    instructionBudget: 1e7,
    ...request,
  });
  if (outcome.kind !== "fault") return outcome.kind;
  const { message, file = "", line = 0, other } = outcome.finding;
  return `${file}:${line}: ${message}${other ? ` [${other.access} at ${other.file ?? ""}:${other.line ?? 0}]` : ""}`;
}

describe("threads that wait for ever", () => {
  it("are told with what they wait at and where the others are", () => {
    const results = Object.fromEntries(Object.entries(cases).map(([name, each]) => [name, told(true, each)]));
    expectCase("vgpu/deadlocks.json", results);
    expect(
      Object.fromEntries(Object.entries(cases).map(([name, each]) => [name, told(false, each)])),
    ).toEqual(results);
  });
});
