import { expect, test } from "vitest";
import { constantPlaces } from "../../../server/core/simulate/counts/constant-places";
import { DeviceMemory } from "../../../server/core/vgpu/index";
import { snippet } from "../vgpu/snippets";
import { address, compileText, run } from "../vgpu/support";

/** Loads from constant memory as the virtual GPU counts them: %r0 is the thread, %rd1 the table. */
function counted(index: string): unknown {
  const text = snippet(
    ["u64"],
    `mov.u32 %r0, %tid.x; mov.u64 %rd1, table; ${index} mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2;
     ld.const.u32 %r2, [%rd2]; ld.param.u64 %rd0, [p0]; st.global.u32 [%rd0], %r2;`,
    ".const .align 4 .b8 table[256];",
  );
  const memory = new DeviceMemory();
  const out = memory.allocate("out", 4);
  const { executed } = run(compileText(text, "kernel", { counters: true }), {
    ...{ grid: [3, 1, 1], block: [32, 1, 1], memory, executed: true },
    arguments: [address(out)],
  });
  return executed?.instructions.flatMap(({ constants = [] }) => constants);
}

test.each([
  ["one place", "mov.u32 %r1, 5;", 1],
  ["two places", "and.b32 %r1, %r0, 1;", 2],
  ["eight words of one sector", "and.b32 %r1, %r0, 7;", 8],
  ["a place for each lane", "mov.u32 %r1, %r0;", 32],
  ["a place for each lane, apart", "mul.lo.u32 %r1, %r0, 2;", 32],
])("lanes ask for %s", (_, index, places) => {
  expect(counted(index)).toEqual([{ requests: 3, places: 3 * places }]);
});

interface Line {
  readonly line: number;
  readonly name?: string;
}

/** Machine instructions of one block, each run twice by each of four warps. */
function placesOf(
  machine: readonly Line[],
  ptx: readonly (Line & { readonly requests: number; readonly places: number })[],
): unknown {
  const instructions = machine.map(({ line, name = "LDC" }) => ({ file: "k.cu", line, operation: { name } }));
  const executed = {
    warps: 4,
    instructions: ptx.map(({ line, requests, places }) => ({
      ...{ file: "k.cu", line },
      constants: { requests, places },
    })),
  };
  const code = { instructions, blocks: [{ start: 0, end: instructions.length }] };
  const found = constantPlaces(executed as never, code as never, { blocks: [2] } as never);
  return Object.fromEntries(found);
}

test.each([
  [
    "as many as were counted on their line",
    [{ line: 3 }, { line: 4 }, { line: 4, name: "LDCU" }],
    [{ line: 3, requests: 8, places: 64 }],
    { 0: 8, 1: 1 },
  ],
  [
    "their share where several are of one line",
    [{ line: 3 }, { line: 3 }],
    [{ line: 3, requests: 8, places: 72 }],
    { 0: 5, 1: 5 },
  ],
  [
    "their share of what stands on no line of theirs",
    [{ line: 3 }, { line: 4 }],
    [{ line: 9, requests: 8, places: 24 }],
    { 0: 2, 1: 2 },
  ],
  ["none where all are constants of the code", [{ line: 3, name: "FFMA" }], [], {}],
])("machine instructions ask for places: %s", (_, machine, ptx, expected) => {
  expect(placesOf(machine, ptx)).toEqual(expected);
});
