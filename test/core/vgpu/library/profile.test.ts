import fc from "fast-check";
import { describe as suite, expect, test } from "vitest";
import type { LineCounters } from "../../../../server/core/timing/counters";
import { type SectorReuse, reuseClassOf, reuseClasses } from "../../../../server/core/timing/reuse";
import { DeviceMemory } from "../../../../server/core/vgpu/index";
import { type Request, StackModel, globalModel, localSectors, sharedModel } from "./access-model";
import { snippet } from "../snippets";
import { address, bytesOf, compileText, integer, run } from "../support";
import { draws, drawsAll } from "../../../harness/draws";

const idle = 0xffff_ffff;
const dataBytes = 1 << 18;
const spaceBytes = { global: dataBytes, shared: 8192, local: 1024 } as const;

interface Form {
  readonly space: keyof typeof spaceBytes;
  readonly access: "load" | "store" | "atomic";
  readonly bytes: number;
  readonly code: string;
}

const forms: readonly Form[] = [
  { space: "global", access: "load", bytes: 1, code: "ld.global.u8 %h0, [%rd4];" },
  { space: "global", access: "load", bytes: 4, code: "ld.global.f32 %f0, [%rd4];" },
  { space: "global", access: "load", bytes: 8, code: "ld.global.f64 %d0, [%rd4];" },
  { space: "global", access: "load", bytes: 16, code: "ld.global.v4.f32 {%f0,%f1,%f2,%f3}, [%rd4];" },
  { space: "global", access: "load", bytes: 4, code: "ld.f32 %f0, [%rd4];" },
  { space: "global", access: "store", bytes: 4, code: "st.global.f32 [%rd4], %f0;" },
  { space: "global", access: "store", bytes: 16, code: "st.global.v2.f64 [%rd4], {%d0,%d1};" },
  { space: "global", access: "atomic", bytes: 4, code: "red.global.add.u32 [%rd4], 1;" },
  { space: "global", access: "atomic", bytes: 8, code: "atom.global.add.u64 %rd5, [%rd4], 1;" },
  {
    ...{ space: "global", access: "atomic", bytes: 16 },
    code: "red.global.add.v4.f32 [%rd4], {0f3F800000, 0f3F800000, 0f3F800000, 0f3F800000};",
  },
  { space: "shared", access: "load", bytes: 1, code: "ld.shared.u8 %h0, [%r6];" },
  { space: "shared", access: "load", bytes: 4, code: "ld.shared.f32 %f0, [%r6];" },
  { space: "shared", access: "load", bytes: 8, code: "ld.shared.f64 %d0, [%r6];" },
  { space: "shared", access: "store", bytes: 16, code: "st.shared.v4.f32 [%r6], {%f0,%f1,%f2,%f3};" },
  { space: "shared", access: "atomic", bytes: 4, code: "atom.shared.add.u32 %r7, [%r6], 1;" },
  { space: "local", access: "load", bytes: 4, code: "ld.local.f32 %f0, [%rd4];" },
  { space: "local", access: "store", bytes: 16, code: "st.local.v4.f32 [%rd4], {%f0,%f1,%f2,%f3};" },
  { space: "local", access: "load", bytes: 1, code: "ld.local.u8 %h0, [%rd4];" },
];

const bases = {
  global: "mov.u64 %rd3, %rd1;",
  shared: "mov.u64 %rd3, 0;",
  local: "mov.u64 %rd3, stack;",
} as const;

/** Each block reads 32 offsets a round on line 6 and accesses them on line 7. */
function kernelOf({ space, code }: Form, rounds: number): string {
  return snippet(
    ["u64", "u64", "u32"],
    `.local .align 16 .b8 stack[${spaceBytes.local}];
    .loc 1 5 1
    ld.param.u64 %rd0, [p0]; ld.param.u64 %rd1, [p1]; ${bases[space]}
    mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, tile;
    mad.lo.u32 %r3, %r1, ${rounds * 32}, %r0; mad.wide.u32 %rd0, %r3, 4, %rd0; mov.u32 %r4, 0;
    $again:
    .loc 1 6 1
    ld.global.u32 %r5, [%rd0];
    .loc 1 5 1
    cvt.u64.u32 %rd2, %r5; add.u64 %rd4, %rd3, %rd2; add.u32 %r6, %r5, %r2; setp.ne.u32 %p1, %r5, ${idle};
    .loc 1 7 1
    @%p1 ${code}
    .loc 1 5 1
    add.u64 %rd0, %rd0, 128; add.u32 %r4, %r4, 1; setp.lt.u32 %p0, %r4, ${rounds}; @%p0 bra $again;`,
    `.shared .align 16 .b8 tile[${spaceBytes.shared}];`,
  );
}

interface Counted {
  readonly access: LineCounters;
  readonly index: LineCounters;
  /** Sector numbers at which the offsets and the data begin. */
  readonly sectors: { readonly index: number; readonly data: number };
}

function count(form: Form, blocks: readonly (readonly Request[])[]): Counted {
  const rounds = blocks[0]?.length ?? 0;
  const kernel = compileText(kernelOf(form, rounds), "kernel", { counters: true });
  const memory = new DeviceMemory();
  const index = memory.allocate("index", 128 * rounds * blocks.length, {
    initial: bytesOf(Uint32Array.from(blocks.flat(2), (offset) => offset ?? idle)),
  });
  const data = memory.allocate("data", dataBytes, { initial: new Uint8Array(dataBytes) });
  const { counters } = run(kernel, {
    grid: [blocks.length, 1, 1],
    block: [32, 1, 1],
    arguments: [address(index), address(data), integer(0)],
    memory,
  });
  const at = (line: number): LineCounters => {
    const found = counters?.lines.find((entry) => entry.line === line);
    if (!found) throw new Error(`line ${line} has no counters`);
    return found;
  };
  return { access: at(7), index: at(6), sectors: { index: Number(index / 32n), data: Number(data / 32n) } };
}

/** Distances as classes, the way counters hold them. */
function classified(distances: readonly number[]): readonly number[] {
  const counts = new Array<number>(reuseClasses).fill(0);
  for (const distance of distances)
    counts[reuseClassOf(distance)] = (counts[reuseClassOf(distance)] ?? 0) + 1;
  return counts.slice(0, counts.findLastIndex((each) => each > 0) + 1);
}

/**
 * Reuse of both lines as the model has it: blocks one after the other, in each a read of the offsets before
 * every access.
 */
function modelledReuse(
  form: Form,
  blocks: readonly (readonly Request[])[],
  sectors: Counted["sectors"],
): (site: string) => SectorReuse | undefined {
  const model = new StackModel();
  blocks.forEach((rounds, block) =>
    rounds.forEach((request, round) => {
      for (let each = 0; each < 4; each += 1)
        model.touch({
          sector: sectors.index + 4 * (block * rounds.length + round) + each,
          block,
          isStore: false,
          site: "index",
        });
      if (form.space !== "global") return;
      const touched = new Set(
        request.flatMap((offset) => (offset === undefined ? [] : [Math.floor(offset / 32)])),
      );
      for (const sector of touched)
        model.touch({
          sector: sectors.data + sector,
          block,
          isStore: form.access !== "load",
          site: "access",
        });
    }),
  );
  return (site) => {
    const found = model.sites.get(site);
    return (
      found && {
        first: found.first,
        sameBlock: classified(found.sameBlock),
        otherBlocks: classified(found.otherBlocks),
      }
    );
  };
}

/** The counters that a form's requests must have, by name; those that are not named must be 0. */
function expected(form: Form, requests: readonly Request[]): Partial<LineCounters> {
  if (form.space === "local") {
    const { requests: used, bytes } = globalModel(requests, form.bytes);
    const kind =
      form.access === "load"
        ? { localLoadRequests: used, localLoadBytes: bytes }
        : { localStoreRequests: used, localStoreBytes: bytes };
    return { localRequests: used, localSectors: localSectors(requests, form.bytes), ...kind };
  }
  const lanes = globalModel(requests, 1).bytes;
  const { requests: used, sectors, ideal, bytes, passes, worst } = globalModel(requests, form.bytes);
  if (form.access === "atomic") {
    return form.space === "shared"
      ? {
          atomics: used,
          sharedAtomics: used,
          sharedAtomicLanes: lanes,
          sharedAtomicPasses: passes,
          sharedAtomicWorst: worst,
        }
      : {
          atomics: used,
          globalAtomics: used,
          globalAtomicLanes: lanes,
          globalAtomicSectors: sectors,
          globalAtomicPasses: passes,
          globalAtomicWorst: worst,
        };
  }
  if (form.space === "shared") {
    const shared = sharedModel(requests, form.bytes);
    const kind =
      form.access === "load"
        ? { sharedLoadRequests: used, sharedLoadBytes: bytes }
        : { sharedStoreRequests: used, sharedStoreBytes: bytes };
    return {
      sharedWavefronts: shared.wavefronts,
      sharedWavefrontsIdeal: shared.ideal,
      sharedConflictWays: shared.ways,
      ...kind,
    };
  }
  const kind =
    form.access === "load"
      ? {
          globalLoadRequests: used,
          globalLoadSectors: sectors,
          globalLoadSectorsIdeal: ideal,
          globalLoadBytes: bytes,
        }
      : {
          globalStoreRequests: used,
          globalStoreSectors: sectors,
          globalStoreSectorsIdeal: ideal,
          globalStoreBytes: bytes,
        };
  return { globalBytesRequested: bytes, ...kind };
}

const executed: ReadonlySet<string> = new Set([
  "file",
  "line",
  "instructions",
  "threadInstructions",
  "memoryInstructions",
]);

function check(form: Form, blocks: readonly (readonly Request[])[]): void {
  const counted = count(form, blocks);
  const { loadReuse, storeReuse, ...numbers } = counted.access;
  const actual = Object.fromEntries(
    Object.entries(numbers).filter(([name, value]) => !executed.has(name) && value !== 0),
  );
  const wanted = Object.fromEntries(
    Object.entries(expected(form, blocks.flat())).filter(([, value]) => value !== 0),
  );
  expect(actual).toEqual(wanted);
  const reuse = modelledReuse(form, blocks, counted.sectors);
  expect([counted.index.loadReuse, form.access === "load" ? loadReuse : storeReuse]).toEqual([
    reuse("index"),
    reuse("access"),
  ]);
}

const lanes = Array.from({ length: 32 }, (_, lane) => lane);
const patterns: readonly (readonly [string, (lane: number, round: number) => number | undefined])[] = [
  ["one element after the other", (lane, round) => lane + 32 * round],
  ["every second element", (lane, round) => 2 * lane + 64 * round],
  ["a column of 33", (lane, round) => 33 * lane + round],
  ["a column of 32", (lane, round) => 32 * lane + round],
  ["one place for all", () => 5],
  ["one place for each quarter", (lane) => Math.floor(lane / 8)],
  ["backwards", (lane, round) => 31 - lane + 32 * round],
  ["the first lanes only", (lane, round) => (lane < 5 ? lane + round : undefined)],
  ["every third lane", (lane, round) => (lane % 3 === 0 ? lane * 7 + round : undefined)],
  ["no lane in every second round", (lane, round) => (round % 2 === 0 ? undefined : lane)],
];

suite("counters against addresses that are enumerated", () => {
  test.each(forms.map((form) => [form.code, form] as const))("%s", (_, form) => {
    const slots = spaceBytes[form.space] / form.bytes;
    for (const [, place] of patterns) {
      const rounds = [0, 1, 2, 3].map((round) =>
        lanes.map((lane) => {
          const at = place(lane, round);
          return at === undefined ? undefined : (at % slots) * form.bytes;
        }),
      );
      check(form, [rounds, rounds]);
    }
  });

  test("whatever the addresses are", () => {
    const drawn = fc.record({
      form: fc.constantFrom(...forms),
      spread: fc.integer({ min: 1, max: 15 }),
      blocks: fc.integer({ min: 1, max: 3 }),
      rounds: fc.integer({ min: 1, max: 12 }),
      numbers: fc.infiniteStream(fc.nat(0xffff)),
      idle: fc.nat(3),
    });
    fc.assert(
      fc.property(drawn, ({ form, spread, blocks, rounds, numbers, idle: idleLanes }) => {
        const slots = Math.min(2 ** spread, spaceBytes[form.space] / form.bytes);
        const next = (): number => numbers.next().value ?? 0;
        const request = (): Request =>
          lanes.map(() =>
            idleLanes > 0 && next() % 4 < idleLanes ? undefined : (next() % slots) * form.bytes,
          );
        check(
          form,
          Array.from({ length: blocks }, () => Array.from({ length: rounds }, request)),
        );
      }),
      { numRuns: draws(60) },
    );
  });

  test.runIf(drawsAll)("distances stay exact when the slots of time are numbered anew", () => {
    const form = forms[1];
    if (!form) return;
    // 65,536 slots, 36 touches a round.
    const rounds = Array.from({ length: 4000 }, (_, round) =>
      lanes.map((lane) => ((lane * 4099 + round * round * 31) % 8192) * 32),
    );
    check(form, [rounds]);
  });
});
