import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  middlePatch,
  sampleOf,
  sharesNothing,
  sharingOf,
  spreadBlocks,
  withSharing,
} from "../../../../server/core/timing/sample/representative";
import { noCounters } from "../../../../server/core/timing/counters";
import {
  DeviceMemory,
  type LaunchRequest,
  type SampleBudget,
  countRepresentative,
} from "../../../../server/core/vgpu/index";
import { address, compileText, run } from "../support";

/**
 * Block (x, y) loads a line of its row, one of its column and a common one, `rounds` times, and stores its
 * own.
 */
const text = (rounds: string): string => `.version 8.0
.target sm_80
.address_size 64
.visible .entry tiles(.param .u64 rows, .param .u64 columns, .param .u64 common, .param .u64 out)
{
.reg .b32 %r<10>;
.reg .f32 %f<5>;
.reg .b64 %rd<14>;
.reg .pred %p<2>;
ld.param.u64 %rd0, [rows];
ld.param.u64 %rd1, [columns];
ld.param.u64 %rd2, [common];
ld.param.u64 %rd3, [out];
mov.u32 %r0, %tid.x;
mov.u32 %r1, %ctaid.x;
mov.u32 %r2, %ctaid.y;
mov.u32 %r3, %nctaid.x;
mad.lo.s32 %r4, %r2, 32, %r0;
mad.lo.s32 %r5, %r1, 32, %r0;
mad.lo.s32 %r6, %r2, %r3, %r1;
mad.lo.s32 %r6, %r6, 32, %r0;
mad.wide.u32 %rd4, %r4, 4, %rd0;
mad.wide.u32 %rd5, %r5, 4, %rd1;
mad.wide.u32 %rd6, %r0, 4, %rd2;
mad.wide.u32 %rd7, %r6, 4, %rd3;
mov.f32 %f0, 0f00000000;
mov.u32 %r7, 0;
${rounds}
$again:
ld.global.f32 %f1, [%rd4];
ld.global.f32 %f2, [%rd5];
ld.global.f32 %f3, [%rd6];
add.f32 %f0, %f0, %f1;
add.f32 %f0, %f0, %f2;
add.f32 %f0, %f0, %f3;
add.u32 %r7, %r7, 1;
setp.lt.u32 %p0, %r7, %r8;
@%p0 bra $again;
st.global.f32 [%rd7], %f0;
ret;
}
`;

const grid = [20, 15, 1] as const;
const blocks = 300;

function counted(
  rounds: string,
  budget?: SampleBudget,
): {
  readonly all: ReturnType<typeof run>;
  readonly part: Extract<ReturnType<typeof countRepresentative>, { kind: "counted" }>["result"];
} {
  const kernel = compileText(text(rounds), "tiles", { counters: true });
  const request = (): LaunchRequest => {
    const memory = new DeviceMemory();
    const buffer = (name: string, lines: number): ReturnType<typeof address> =>
      address(memory.allocate(name, 128 * lines, { initial: new Uint8Array(128 * lines) }));
    return {
      memory,
      executed: true,
      grid,
      block: [32, 1, 1],
      dynamicSharedBytes: 0,
      instructionBudget: 1e9,
      arguments: [buffer("rows", 15), buffer("columns", 20), buffer("common", 1), buffer("out", blocks)],
    };
  };
  const part = countRepresentative(kernel, request(), budget);
  if (part.kind !== "counted") throw new Error(part.kind);
  return { all: run(kernel, request()), part: part.result };
}

test("a grid of like blocks is counted as it is from a part of it, and what blocks share is known", () => {
  const { all, part } = counted("mov.u32 %r8, 500;");
  expect(part).toMatchObject({ error: 0, sharing: [0, 4, 4, 4, 0, 0, 0, 0] });
  expect(part.executed).toMatchObject({ blocks: 63, warps: 63 });
  expect(part.sharing && withSharing(part.counters.totals, part.sharing, { grid, wave: 40 })).toMatchObject({
    instructions: all.counters?.totals.instructions,
    globalLoadSectors: all.counters?.totals.globalLoadSectors,
    globalStoreSectors: all.counters?.totals.globalStoreSectors,
    loadReuse: { first: all.counters?.totals.loadReuse?.first },
  });
});

test.each([
  ["along a column", "mad.lo.s32 %r8, %r2, 40, 10;"],
  ["along a row", "mad.lo.s32 %r8, %r1, 40, 10;"],
])("where blocks differ %s, the estimate is as near as it says", (_, rounds) => {
  const { all, part } = counted(rounds);
  const [estimate, truth] = [part.counters.totals.instructions, all.counters?.totals.instructions ?? 0];
  expect(part.error).toBeGreaterThan(0);
  expect(Math.abs(estimate / truth - 1)).toBeLessThan(part.error);
});

test.each([
  ["without neighbours, which would cost too much", { neighbours: 40_000, spread: 1 }, 5],
  ["one block alone", { neighbours: 4000, spread: 1 }, 1],
])("%s", (_, budget, countedBlocks) => {
  const { all, part } = counted("mov.u32 %r8, 500;", budget);
  expect(part).toMatchObject({ countedBlocks, error: 0, sharing: sharesNothing(12) });
  const shared = part.sharing && { grid, wave: 40, footprint: all.counters?.totals.loadReuse?.first ?? 0 };
  expect(part.sharing && shared && withSharing(part.counters.totals, part.sharing, shared)).toMatchObject({
    instructions: all.counters?.totals.instructions,
    loadReuse: { first: all.counters?.totals.loadReuse?.first },
  });
});

test.each([
  ["whose width divides the distance", [16, 64, 1], 2],
  ["of one row", [4096, 1, 1], 2],
  ["of few columns", [2, 512, 1], 16],
] as const)("blocks that stand for a grid %s are of all its columns alike", (_, size, count) => {
  const columns = spreadBlocks(size, count, 4)
    .flat()
    .map((block) => (block % size[0]) + 0.5);
  const mean = columns.reduce((sum, column) => sum + column, 0) / columns.length;
  expect(Math.abs(mean / size[0] - 0.5)).toBeLessThan(0.1);
});

test("a patch lies in the middle of a grid, longest where the grid is longest", () => {
  expect([
    middlePatch([6, 4, 1], 4),
    middlePatch([100, 1, 1], 3),
    middlePatch([2, 50, 1], 9),
    middlePatch([2, 2, 1], 64),
    middlePatch([3, 1, 4], 6),
  ]).toEqual([
    [8, 9, 14, 15],
    [48, 49, 50],
    [46, 47, 48, 49, 50, 51, 52, 53],
    [0, 1, 2, 3],
    [0, 1, 3, 4, 6, 7],
  ]);
});

/** Sectors of one block, named by the place of the block along the directions that do not share them. */
function sectorsOf(
  sharing: readonly number[],
  [x, y]: readonly [number, number, number],
  block: number,
): readonly string[] {
  const place = [block % x, Math.floor(block / x) % y, Math.floor(block / (x * y))];
  return sharing.flatMap((sectors, directions) => {
    const own = place.filter((_, axis) => (directions & (1 << axis)) === 0);
    return Array.from({ length: sectors }, (_, at) => `${directions} ${at} ${own.join(" ")}`);
  });
}

test("what blocks share along each set of directions is found from pairs, and adds up to what all load", () => {
  const axis = fc.integer({ min: 1, max: 9 });
  const classes = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(
      fc.tuple(axis, axis, axis),
      classes,
      fc.integer({ min: 1, max: 200 }),
      (size, planned, wave) => {
        const sample = sampleOf(size);
        if (sample === undefined) return;
        const distinct = (blocks: readonly number[]): number =>
          new Set(blocks.flatMap((block) => sectorsOf(planned, size, block))).size;
        const sharing = sharingOf(
          distinct([sample.single]),
          sample.pairs.map(({ directions, blocks: pair }) => ({ directions, first: distinct(pair) })),
        );
        const all = Array.from({ length: size[0] * size[1] * size[2] }, (_, block) => block);
        const whole = distinct(all);
        const reuse = { first: 0, sameBlock: [], otherBlocks: [] };
        const { loadReuse } = withSharing({ ...noCounters(), loadReuse: reuse }, sharing, {
          grid: size,
          wave,
        });
        const loads =
          (loadReuse?.first ?? 0) + (loadReuse?.otherBlocks ?? []).reduce((sum, each) => sum + each, 0);
        expect([loadReuse?.first, Math.round(loads)]).toEqual([
          whole,
          distinct([sample.single]) * all.length,
        ]);
      },
    ),
  );
});

test.each([
  ["with few columns", [3, 300, 1], 2 * 3],
  ["in three dimensions", [8, 9, 10], 8 * 9 * 10 - 6 * 7 * 8],
] as const)("sides of a grid %s stand for the blocks that lie on them", (_, size, onSides) => {
  const sides = sampleOf(size)?.sides ?? [];
  expect(sides.reduce((sum, { standsFor }) => sum + standsFor, 0)).toBe(onSides);
});

test("few blocks are all counted", () => {
  const kernel = compileText(text("mov.u32 %r8, 5;"), "tiles", { counters: true });
  const memory = new DeviceMemory();
  const place = address(memory.allocate("all", 4096, { initial: new Uint8Array(4096) }));
  const outcome = countRepresentative(kernel, {
    memory,
    grid: [4, 2, 1],
    block: [32, 1, 1],
    dynamicSharedBytes: 0,
    instructionBudget: 1e9,
    arguments: [place, place, place, place],
  });
  expect(outcome).toMatchObject({ kind: "counted", result: { countedBlocks: 8, error: 0 } });
});
