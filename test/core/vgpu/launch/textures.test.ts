import { describe, expect, test } from "vitest";
import { drawn } from "../../../harness/draws";
import { runSurface, runTexture, surfaces, textures } from "./texture-cases";

/** What tells a case from the others. */
function title({ instruction, image, sampler }: (typeof textures)[number]): string {
  const how = sampler
    ? `${sampler.addressing.join("/")}${sampler.isLinear ? " linear" : ""}${sampler.isNormalized ? " normalized" : ""}${sampler.readsNormalized ? " to 1" : ""}`
    : "";
  return `${instruction} ${image.geometry} ${image.channels} × ${image.bits} ${image.format} ${how}`;
}

interface Judged {
  readonly title: string;
  readonly expected: unknown;
  readonly got: unknown;
}

function expectAlike(judged: readonly Judged[]): void {
  const wrong = judged.filter(({ expected, got }) => JSON.stringify(expected) !== JSON.stringify(got));
  expect({ wrong: wrong.length, first: wrong[0] }).toEqual({ wrong: 0, first: undefined });
}

// Counters and detectors change what surrounds a fetch, not the fetch: some cases of each kind will do.
describe.each([
  { options: {}, every: 1 },
  { options: { counters: true }, every: 11 },
  { options: { detectors: true }, every: 11 },
])("with %o", ({ options, every }) => {
  const some = <Entry>(cases: readonly Entry[]): readonly Entry[] =>
    drawn(cases.filter((_, index) => index % every === 0));

  test("textures are read as the model in test/cases/vgpu/textures says", () => {
    expectAlike(
      some(textures).map((entry) => ({
        title: title(entry),
        expected: entry.results,
        got: runTexture(entry, options),
      })),
    );
  });

  test("surfaces are read and written as the model says", () => {
    expectAlike(
      some(surfaces).map((entry) => ({
        title: entry.instruction,
        expected: { loads: entry.loads, after: entry.after },
        got: runSurface(entry, options),
      })),
    );
  });
});
