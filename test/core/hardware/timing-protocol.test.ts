import { describe, expect, test } from "vitest";
import { confirmedKind, type MeasuredComparison } from "../../../server/core/hardware/measured-comparison";
import { succeed } from "../../../server/core/base/outcome";
import { measureAlone, measureSides } from "../../../server/core/hardware/measuring";
import { intervalOfRatios, median } from "../../../server/core/hardware/statistics";
import { planRound, warmUpState } from "../../../server/core/hardware/timing-plan";
import { count, noises, type Noise } from "../../harness/simulated-timings";

describe("simulated noise, fixed seeds", () => {
  // `npm run bench -- timing` does so a thousand times with each noise.
  test("equal kernels are not told apart, whatever the noise", () => {
    expect(count(60, 1, Object.values(noises)).faster).toBe(0);
  });

  test("a true 3 % at 1 % noise is found, and never called the other way", () => {
    const noise = [noises["normal, 1 %"] as (random: () => number) => Noise];
    const gains = count(20, 1.03, noise);
    const losses = count(20, 1 / 1.03, noise);
    expect([gains.faster >= 19, gains.slower, losses.slower >= 19, losses.faster]).toEqual([
      true,
      0,
      true,
      0,
    ]);
  });
});

test("both sides of a pair get the same content, neighbours get other buffers, orders are mirrored at random", () => {
  const rounds = Array.from({ length: 64 }, (_, round) =>
    planRound(round, { seed: 7, cache: "cold", sets: 3 }),
  );
  expect(new Set(rounds.map((round) => round.map(({ side }) => side[0]).join("")))).toEqual(
    new Set(["bccb", "cbbc"]),
  );
  expect(rounds.filter(([a, b, c, d]) => a?.content !== b?.content || c?.content !== d?.content)).toEqual([]);
  const contents = rounds.flatMap(([a, , c]) => [a?.content, c?.content]);
  expect(new Set(contents).size).toBe(contents.length);
  const moves = rounds.flatMap((round) =>
    round.slice(1).map((call, index) => call.buffers !== round[index]?.buffers),
  );
  expect(moves).not.toContain(false);
});

test("warming up ends when the clock has settled, or says that it did not", () => {
  const falling = Array.from({ length: 200 }, (_, call) => 5000 * (1 + Math.exp(-call / 30)));
  const until = falling.findIndex((_, call) => warmUpState(falling.slice(0, call)) === "steady");
  expect(until).toBeGreaterThan(100);
  expect(warmUpState(falling.slice(0, 40))).toBe("more");
  expect(warmUpState(Array.from({ length: 2000 }, (_, call) => 1.01 ** call))).toBe("unsteady");
});

test.each([
  { title: "a short kernel", nanoseconds: 5000, alone: 120, sides: 240 },
  { title: "a kernel of 20 ms", nanoseconds: 2e7, alone: 120, sides: 240 },
  { title: "a kernel of half a second", nanoseconds: 5e8, alone: 24, sides: 72 },
  { title: "a kernel of half a minute", nanoseconds: 3e10, alone: 24, sides: 72 },
])("$title is called as often as its time allows", async ({ nanoseconds, alone, sides }) => {
  let calls = 0;
  const call = () => {
    calls += 1;
    return Promise.resolve(succeed(nanoseconds * (1 + 1e-5 * (calls % 3))));
  };
  const options = { cache: "cold", seed: 5, sets: 4 } as const;
  const one = await measureAlone(call, options);
  const callsAlone = calls;
  calls = 0;
  const both = await measureSides(call, options);
  expect([callsAlone, calls, one.ok && one.value.isSteady]).toEqual([alone, sides, true]);
  expect(both.ok && both.value.kind).toBe("no difference found");
});

test("exchanging the sides gives the reciprocal", () => {
  const options = { resamples: 2000, trimmed: 0.2, errorShare: 0.001, seed: 3 };
  const ratios = Array.from({ length: 41 }, (_, index) => 1 + (index - 20) / 1000);
  const there = intervalOfRatios(ratios, options);
  const back = intervalOfRatios(
    ratios.map((ratio) => 1 / ratio),
    options,
  );
  expect(there.ratio * back.ratio).toBeCloseTo(1, 10);
  expect(there.lower).toBeLessThan(there.ratio);
  expect(median([3, 1, 2, 4])).toBe(2.5);
});

test("a win has to show again in a fresh process, in the same cache state", () => {
  const of = (kind: MeasuredComparison["kind"], cache: MeasuredComparison["cache"]): MeasuredComparison => ({
    kind,
    cache,
    ratio: 1,
    lower: 1,
    upper: 1,
    rounds: 40,
  });
  const same = "no difference found";
  const check = (first: MeasuredComparison[], fresh: MeasuredComparison[]) => confirmedKind(first, fresh);
  expect([
    check([of("faster", "cold")], [of("faster", "cold")]),
    check([of("faster", "cold")], [of(same, "cold"), of("faster", "sustained")]),
    check([of("faster", "cold"), of("slower", "sustained")], [of("faster", "cold")]),
    check([of("slower", "cold")], [of(same, "cold")]),
  ]).toEqual(["faster", same, same, "slower"]);
});
