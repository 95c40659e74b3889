import { describe as suite, expect, it } from "vitest";
import { DeviceMemory, launch } from "../../../../server/core/vgpu/index";
import { drawsAll } from "../../../harness/draws";
import { address, compileText } from "../support";

/** One pointer p0 in %rd0, the thread in %r0, the block in %r4. */
function kernel(code: string): string {
  return `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p0)
{
.reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .pred %p<4>; .shared .align 8 .b32 s[16];
ld.param.u64 %rd0, [p0];
mov.u32 %r0, %tid.x; mov.u32 %r4, %ctaid.x;
${code}
ret;
}
`;
}

/** Block `number` sets the flag that all blocks wait for. */
const setBy = (number: number): string =>
  `setp.eq.u32 %p2, %r4, ${number}; mov.u32 %r3, 1; @%p2 st.volatile.global.u32 [%rd0], %r3;`;
const wait = "ld.volatile.global.u32 %r1, [%rd0]; setp.eq.u32 %p1, %r1, 0; @%p1 bra $l;";

/** A kernel, its blocks of 64 threads, how it ends. */
const cases: readonly (readonly [string, string, number, string])[] = [
  ["a flag that nobody sets", `$l: ${wait}`, 1, "deadlock"],
  ["a flag that nobody sets, in more blocks than there is room for", `$l: ${wait}`, 5000, "deadlock"],
  ["a flag that nobody sets, with a barrier in the loop", `$l: bar.sync 0; ${wait}`, 1, "deadlock"],
  [
    "a flag that nobody sets, with a shuffle in the loop",
    `$l: ld.volatile.global.u32 %r1, [%rd0]; shfl.sync.idx.b32 %r1, %r1, 0, 31, -1; setp.eq.u32 %p1, %r1, 0; @%p1 bra $l;`,
    1,
    "deadlock",
  ],
  [
    "lanes at a shuffle that waits for lanes which spin",
    `and.b32 %r5, %r0, 1; setp.eq.u32 %p0, %r5, 0; @%p0 bra $l;
    shfl.sync.idx.b32 %r1, %r0, 0, 31, -1; bra $e; $l: ${wait} shfl.sync.idx.b32 %r1, %r0, 0, 31, -1; $e:`,
    1,
    "deadlock",
  ],
  [
    "warps at a barrier that waits for a warp which spins",
    `setp.lt.u32 %p0, %r0, 32; @%p0 bra $l; bar.sync 0; bra $e; $l: ${wait} bar.sync 0; $e:`,
    1,
    "deadlock",
  ],
  [
    "a loop whose values change",
    "$l: atom.global.add.u32 %r1, [%rd0], 1; setp.ne.u32 %p1, %r1, -5; @%p1 bra $l;",
    1,
    "budget-exceeded",
  ],
  [
    "a loop on a load that may never change",
    "$l: ld.global.u32 %r1, [%rd0]; setp.eq.u32 %p1, %r1, 0; @%p1 bra $l;",
    1,
    "budget-exceeded",
  ],
  ["a flag that nobody sets, and a clock", `$l: mov.u32 %r2, %clock; ${wait}`, 3, "deadlock"],
  [
    "a flag that nobody sets, and pauses by the clock",
    `$l: mov.u64 %rd2, %globaltimer; $d: mov.u64 %rd3, %globaltimer; sub.u64 %rd3, %rd3, %rd2;
    setp.lt.u64 %p0, %rd3, 1000; @%p0 bra $d; ${wait}`,
    3,
    "budget-exceeded",
  ],
  [
    "a flag that nobody sets, unless the clock goes back",
    `mov.u64 %rd2, %globaltimer; $l: mov.u64 %rd3, %globaltimer; add.u32 %r5, %r0, 1; add.u32 %r5, %r5, %r5;
    setp.lt.u64 %p0, %rd3, %rd2; @%p0 bra $e; mov.u64 %rd2, %rd3; ${wait} $e:`,
    3,
    "deadlock",
  ],
  [
    "a wait that gives up after ten minutes",
    `mov.u64 %rd2, %globaltimer; $l: mov.u64 %rd3, %globaltimer; sub.u64 %rd3, %rd3, %rd2;
    setp.gt.u64 %p0, %rd3, 600000000000; @%p0 bra $e; ${wait} $e:`,
    3,
    "completed",
  ],
  [
    "a flag that the last block sets, and a clock",
    `${setBy(299)} $l: mov.u32 %r2, %clock; ${wait}`,
    300,
    "completed",
  ],
  [
    "the same, set after a pause by the clock",
    `setp.ne.u32 %p2, %r4, 2; @%p2 bra $l; mov.u64 %rd2, %globaltimer; $d: ld.volatile.global.u32 %r1, [%rd0+8];
    mov.u64 %rd3, %globaltimer; sub.u64 %rd3, %rd3, %rd2; setp.lt.u64 %p0, %rd3, 5000000000; @%p0 bra $d; ${setBy(2)} $l: mov.u32 %r2, %clock; ${wait}`,
    3,
    "completed",
  ],
  [
    "waits that give up, again and again",
    `mov.u32 %r6, 0; $m: mov.u64 %rd2, %globaltimer; $l: ld.volatile.global.u32 %r1, [%rd0]; mov.u64 %rd3, %globaltimer; sub.u64 %rd3, %rd3, %rd2;
    setp.lt.u64 %p0, %rd3, 1000000000; @%p0 bra $l; add.u32 %r6, %r6, 1; setp.lt.u32 %p0, %r6, 8; @%p0 bra $m;`,
    3,
    "completed",
  ],
  ["a flag that the last block sets", `${setBy(299)} $l: ${wait}`, 300, "completed"],
  [
    "the same with a barrier in the loop",
    `${setBy(99)} $l: ld.volatile.global.u32 %r1, [%rd0]; setp.eq.u32 %p1, %r1, 0; bar.sync 0; @%p1 bra $l;`,
    100,
    "completed",
  ],
  [
    "the same with a reducing barrier",
    `${setBy(99)} $l: ld.volatile.global.u32 %r1, [%rd0]; setp.ne.u32 %p1, %r1, 0; barrier.cta.red.or.pred %p3, 0, %p1; @!%p3 bra $l;`,
    100,
    "completed",
  ],
  [
    "a barrier object at which a lane of the same warp arrives later",
    `mov.u32 %r2, s; setp.eq.u32 %p0, %r0, 0; @%p0 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0;
    @%p0 bra $a; $l: mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0; @!%p1 bra $l; bra $e; $a: mbarrier.arrive.shared.b64 %rd2, [%r2]; $e:`,
    2,
    "completed",
  ],
  [
    "the same with a counter that changes meanwhile",
    `${setBy(4)} $l: atom.global.add.u32 %r2, [%rd0+8], 1; and.b32 %r5, %r2, 0;
    ld.volatile.global.u32 %r1, [%rd0]; add.u32 %r1, %r1, %r5; setp.eq.u32 %p1, %r1, 0; @%p1 bra $l;`,
    5,
    "completed",
  ],
];

suite("loops that wait", () => {
  for (const detectors of drawsAll ? [false, true] : [false]) {
    it.each(cases)(`%s${detectors ? ", with detectors" : ""}`, (_, code, blocks, expected) => {
      const memory = new DeviceMemory();
      const flags = memory.allocate("flags", 64, { initial: new Uint8Array(64) });
      const outcome = launch(compileText(kernel(code), "k", { detectors }), {
        grid: [blocks, 1, 1],
        block: [64, 1, 1],
        dynamicSharedBytes: 0,
        memory,
        arguments: [address(flags)],
        residentBlocks: 400,
        instructionBudget: expected === "budget-exceeded" ? 300_000 : 100_000_000,
      });
      expect(outcome.kind === "fault" ? outcome.finding.kind : outcome.kind).toBe(expected);
    });
  }
});
