import { expect, test } from "vitest";
import { knownArchitectures } from "../../../server/core/timing/gpu-model";
import {
  type ArchitectureTiming,
  timedCapabilities,
  timingFigures,
  timingMeanings,
  timingOf,
  timingSources,
} from "../../../server/core/timing/gpu-timing";

test("each figure has a meaning and a source that is in the table, each estimate its reason, each source a use", () => {
  const wrong = timedCapabilities.flatMap((capability) =>
    [...timingFigures(capability)].flatMap(([name, { is, from, why }]) => {
      const problems = [
        ...(timingMeanings[name] === undefined ? ["no meaning"] : []),
        ...(timingSources[from] === undefined ? [`unknown source ${from}`] : []),
        ...(from === "estimate" && why === undefined ? ["estimate without a reason"] : []),
        ...(is >= 0 && Number.isFinite(is) ? [] : ["not a count"]),
      ];
      return problems.map((problem) => `${capability} ${name}: ${problem}`);
    }),
  );
  expect(wrong).toEqual([]);
  const used = new Set(
    timedCapabilities.flatMap((each) => [...timingFigures(each).values()].map((f) => f.from)),
  );
  expect(Object.keys(timingSources).filter((source) => !used.has(source))).toEqual([]);
});

test("figures of every architecture are in the order in which hardware has them", () => {
  const orders: readonly (readonly [string, (timing: ArchitectureTiming) => readonly number[]])[] = [
    [
      "levels answer later the farther they are",
      ({ latency: l }) => [l.sharedLoad, l.firstLevel, l.secondLevel, l.secondLevelFar, l.memory],
    ],
    ["narrower types are no slower on tensor units", ({ tensor: t }) => [t.tf32, t.fp16, t.int8]],
    ["arithmetic answers before a load", ({ latency: l }) => [l.fp32, l.special, l.sharedLoad]],
    [
      "the second level gives less than the first",
      ({ memory: m }) => [
        m.secondLevelBytesPerClockPerSm,
        m.firstLevelBytesPerClockScalar,
        m.sharedBytesPerClock,
      ],
    ],
  ];
  const broken = knownArchitectures().flatMap((architecture) =>
    orders
      .filter(([, series]) => {
        const values = series(timingOf(architecture));
        return values.some((value, index) => index > 0 && value < (values[index - 1] ?? 0));
      })
      .map(([order]) => `${architecture}: ${order}`),
  );
  // sm_70 has no 8-bit products; sm_103 has nearly none left.
  expect(broken).toEqual([
    "sm_70: narrower types are no slower on tensor units",
    "sm_103: narrower types are no slower on tensor units",
  ]);
});

test("an architecture has its own figures, and those of the one it is like where it has none", () => {
  expect([timingOf("sm_80"), timingOf("sm_90a"), timingOf("sm_121")]).toMatchObject([
    { rates: { fp32: 64, fp64: 32, loadStore: 32 }, tensor: { fp16: 2048 }, latency: { memory: 466 } },
    { rates: { fp32: 128, fp64: 64, loadStore: 32 }, tensor: { fp16: 4096 }, latency: { memory: 745 } },
    { rates: { fp32: 128, fp64: 2, loadStore: 16 }, tensor: { fp16: 1024 }, latency: { tensorFp32: 35 } },
  ]);
  expect(timingOf("sm_88")).toEqual(timingOf("sm_87"));
});
