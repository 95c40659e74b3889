import { expect, it } from "vitest";
import { DeviceMemory, launch } from "../../../../server/core/vgpu/index";
import { address, compileText } from "../support";

/** Each thread adds up what it reads of `a` before it waits, and ten times what it reads behind. */
const kernel = (wait: string): string => `
.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b)
{
  .reg .u64 %a, %b, %o;
  .reg .u32 %t, %c, %n, %i, %x, %y;
  .reg .pred %p;
  ld.param.u64 %a, [a];
  ld.param.u64 %b, [b];
  mov.u32 %t, %tid.x;
  mov.u32 %c, %ctaid.x;
  mov.u32 %n, %ntid.x;
  mad.lo.u32 %i, %c, %n, %t;
  ld.global.u32 %x, [%a];
  ${wait}
  ld.global.cg.u32 %y, [%a];
  mad.lo.u32 %x, %y, 10, %x;
  mul.wide.u32 %o, %i, 4;
  add.u64 %o, %b, %o;
  st.global.u32 [%o], %x;
  ret;
}`;

/** Blocks that the GPU holds at once. */
const residentBlocks = 4;

function check(wait: string, blocks: number, expected: (thread: number, block: number) => number): void {
  const threads = 64;
  const memory = new DeviceMemory();
  const words = (values: readonly number[]): Uint8Array => new Uint8Array(Int32Array.from(values).buffer);
  const input = memory.allocate("a", 4, { initial: words([1]) });
  const output = memory.allocate("b", 4 * threads * blocks, {
    initial: new Uint8Array(4 * threads * blocks),
  });
  let runs = 0;
  const outcome = launch(compileText(kernel(wait), "k", { counters: false }), {
    grid: [blocks, 1, 1],
    block: [threads, 1, 1],
    dynamicSharedBytes: 0,
    memory,
    instructionBudget: 1e6,
    residentBlocks,
    arguments: [address(input), address(output)],
    gridBefore: () => {
      runs += 1;
      memory.write(input, words([2]));
    },
  });
  expect(outcome.kind).toBe("completed");
  expect(runs).toBe(wait === "" ? 0 : 1);
  const read = [...new Int32Array(memory.read(output).buffer)];
  expect(read).toEqual(
    Array.from({ length: threads * blocks }, (_, at) => expected(at % threads, Math.floor(at / threads))),
  );
}

const wait = "griddepcontrol.wait;";
const behind = (block: number): number => (block < residentBlocks ? 1 : 2) + 20;

it.each([
  ["all threads wait", wait, 3, () => 21],
  [
    "one thread waits, the others at a barrier",
    `setp.eq.u32 %p, %t, 0; @%p ${wait} bar.sync 0;`,
    3,
    () => 21,
  ],
  [
    "every other lane waits",
    `and.b32 %y, %t, 1; setp.eq.u32 %p, %y, 0; @%p ${wait}`,
    1,
    (t: number) => (t % 2 ? 11 : 21),
  ],
  ["one thread waits alone", `setp.eq.u32 %p, %t, 0; @%p ${wait}`, 2, (t: number) => (t === 0 ? 21 : 11)],
  ["more blocks than are resident wait", wait, 6, (_: number, block: number) => behind(block)],
  ["none waits", "", 2, () => 11],
] as const)(
  "the grid before runs once all that can have run wait for it: %s",
  (_, text, blocks, expected) => {
    check(text, blocks, expected);
  },
);
