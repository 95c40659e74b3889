import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  capabilityOf,
  defaultGpu,
  knownArchitectures,
  limitsOf,
} from "../../../server/core/timing/gpu-model";
import { occupancy, type OccupancyInput } from "../../../server/core/timing/occupancy";
import { type Reference, askToolkit, hasToolkit } from "./occupancy-reference";

/** architecture, threads, registers, shared → blocks, warps, limiter */
const cases: readonly (readonly [string, number, number, number, number, number, string])[] = [
  ["sm_80", 256, 32, 0, 8, 64, "warps"],
  ["sm_80", 256, 33, 0, 6, 48, "registers"],
  ["sm_80", 32, 16, 0, 32, 32, "blocks"],
  ["sm_80", 128, 32, 40 * 1024, 4, 16, "shared-memory"],
  ["sm_80", 1024, 64, 0, 1, 32, "registers"],
  ["sm_80", 80, 32, 0, 21, 63, "warps"],
  ["sm_86", 256, 32, 0, 6, 48, "warps"],
  ["sm_86", 32, 32, 0, 16, 16, "blocks"],
  ["sm_89", 128, 128, 0, 4, 16, "registers"],
  ["sm_90a", 256, 32, 100 * 1024, 2, 16, "shared-memory"],
  ["sm_75", 1024, 32, 0, 1, 32, "warps"],
  ["sm_80", 2048, 32, 0, 0, 0, "impossible"],
  ["sm_80", 128, 32, 164 * 1024, 0, 0, "impossible"],
  ["sm_80", 1024, 128, 0, 0, 0, "impossible"],
];

test.each(cases)("%s with %i threads, %i registers, %i bytes: %i blocks", (...given) => {
  const [architecture, threadsPerBlock, registersPerThread, sharedBytes, blocks, warps, limiter] = given;
  const found = occupancy({ architecture, threadsPerBlock, registersPerThread, sharedBytes });
  expect([found.blocksPerSm, found.warpsPerSm, found.limiter]).toEqual([blocks, warps, limiter]);
});

test("the advice names figures that let one more block in", () => {
  expect(
    occupancy({ architecture: "sm_80", threadsPerBlock: 256, registersPerThread: 33, sharedBytes: 0 }).advice,
  ).toBe("32 registers a thread instead of 33 would let 7 blocks in");
  expect(
    occupancy({ architecture: "sm_80", threadsPerBlock: 128, registersPerThread: 32, sharedBytes: 40 * 1024 })
      .advice,
  ).toBe("32512 bytes of shared memory a block instead of 40960 would let 5 blocks in");
});

const inputs = fc.record({
  architecture: fc.constantFrom("sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"),
  threadsPerBlock: fc.integer({ min: 1, max: 1024 }),
  registersPerThread: fc.integer({ min: 1, max: 64 }),
  sharedBytes: fc.integer({ min: 0, max: 40_000 }),
});

test("what the advice asks for is enough, and more of a resource never admits more blocks", () => {
  fc.assert(
    fc.property(inputs, (input: OccupancyInput) => {
      const found = occupancy(input);
      expect(found.warpsPerSm).toBeLessThanOrEqual(limitsOf(input.architecture).warpsPerSm);
      const more = occupancy({
        ...input,
        registersPerThread: input.registersPerThread + 8,
        sharedBytes: input.sharedBytes + 4096,
      });
      expect(more.blocksPerSm).toBeLessThanOrEqual(found.blocksPerSm);
      const [, figure] = /^(\d+) (?:registers|bytes)/.exec(found.advice) ?? [];
      if (figure === undefined || Number(figure) === 0) return;
      const changed =
        found.limiter === "registers"
          ? { ...input, registersPerThread: Number(figure) }
          : { ...input, sharedBytes: Number(figure) };
      const after = occupancy(changed);
      expect(after.limiter !== found.limiter || after.blocksPerSm > found.blocksPerSm).toBe(true);
    }),
  );
});

test("every architecture has limits and a GPU that stands for it", () => {
  expect(["sm_70", "sm_80", "sm_90a", "sm_103", "sm_120"].map(capabilityOf)).toEqual([
    "7.0",
    "8.0",
    "9.0",
    "10.3",
    "12.0",
  ]);
  expect(() => capabilityOf("gfx90a")).toThrow(
    'missing: the capability of "gfx90a": an architecture such as sm_80 was expected',
  );
  expect(
    ["sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120", "sm_87"].map(
      (each) => defaultGpu(each).name,
    ),
  ).toEqual([
    "V100 SXM2",
    "T4",
    "A100 40GB SXM",
    "A10",
    "RTX 4090",
    "H100 SXM",
    "B200",
    "RTX 5090",
    "Jetson AGX Orin 64GB",
  ]);
});

test("every GPU has positive figures, each capability one that stands for it, and halves are no slower than singles", () => {
  for (const architecture of knownArchitectures()) {
    const [gpu, limits] = [defaultGpu(architecture), limitsOf(architecture)];
    expect(`sm_${gpu.capability.replace(".", "")}`).toBe(architecture);
    const figures = [
      gpu.multiprocessors,
      gpu.floatTeraflops,
      gpu.tensorTeraflops,
      gpu.memoryGigabytesPerSecond,
      gpu.secondLevelMegabytes,
      limits.firstLevelBytesPerSm,
      limits.firstLevelBytesPerClock,
      ...Object.values(limits.rates),
    ];
    expect(figures.every((figure) => figure > 0)).toBe(true);
    expect([
      limits.rates.fp32,
      limits.sharedBytesPerSm <= limits.firstLevelBytesPerSm,
      limits.rates.fp16 >= limits.rates.fp32,
    ]).toEqual([limits.floatLanesPerSm, true, true]);
  }
});

const architectures = [
  "sm_70",
  "sm_75",
  "sm_80",
  "sm_86",
  "sm_87",
  "sm_89",
  "sm_90",
  "sm_100",
  "sm_103",
  "sm_110",
  "sm_120",
  "sm_121",
];
const tablePath = join(import.meta.dirname, "../../cases/kernel/occupancy.json");

/** Every resource in turn, around its steps and limits. */
function tableInputs(): OccupancyInput[] {
  const shapes: readonly (readonly [number, number, number])[] = [
    [32, 16, 0],
    [32, 255, 0],
    [33, 32, 0],
    [64, 24, 1],
    [96, 40, 1024],
    [128, 32, 0],
    [128, 64, 4096],
    [128, 168, 16_384],
    [192, 48, 9000],
    [256, 32, 0],
    [256, 33, 0],
    [256, 64, 24_576],
    [256, 96, 49_152],
    [256, 128, 0],
    [256, 255, 0],
    [256, 32, 65_536],
    [320, 80, 33_000],
    [384, 56, 20_000],
    [512, 32, 12_288],
    [512, 64, 0],
    [512, 128, 65_536],
    [640, 40, 0],
    [768, 32, 0],
    [768, 80, 0],
    [1024, 32, 0],
    [1024, 64, 49_152],
    [1024, 65, 0],
    [1024, 32, 98_304],
    [64, 32, 101_376],
    [64, 32, 166_912],
    [64, 32, 232_448],
    [64, 32, 232_449],
    [1, 1, 0],
  ];
  return architectures.flatMap((architecture) =>
    shapes.map(([threadsPerBlock, registersPerThread, sharedBytes]) => ({
      architecture,
      threadsPerBlock,
      registersPerThread,
      sharedBytes,
    })),
  );
}

type Row = readonly [string, number, number, number, number, string];

/** Blocks are equal, and the limiter is one of those that the toolkit names. */
function agrees(input: OccupancyInput, reference: Reference): boolean {
  const found = occupancy(input);
  return (
    found.blocksPerSm === reference.blocks &&
    (reference.blocks === 0 ? found.limiter === "impossible" : reference.limiters.includes(found.limiter))
  );
}

test("the recorded answers of the CUDA toolkit's calculator on every architecture", () => {
  if (process.env["UPDATE_CASES"] === "1") {
    const rows = askToolkit(tableInputs()).map((reference, at): Row => {
      const {
        architecture = "",
        threadsPerBlock = 0,
        registersPerThread = 0,
        sharedBytes = 0,
      } = tableInputs()[at] ?? {};
      return [
        architecture,
        threadsPerBlock,
        registersPerThread,
        sharedBytes,
        reference.blocks,
        reference.limiters.join(" "),
      ];
    });
    writeFileSync(tablePath, `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(",\n")}\n]\n`);
  }
  const rows = JSON.parse(readFileSync(tablePath, "utf8")) as readonly Row[];
  expect(rows).toHaveLength(tableInputs().length);
  expect(
    rows.filter(
      ([architecture, threadsPerBlock, registersPerThread, sharedBytes, blocks, limiters]) =>
        !agrees(
          { architecture, threadsPerBlock, registersPerThread, sharedBytes },
          { blocks, limiters: limiters.split(" ") as Reference["limiters"] },
        ),
    ),
  ).toEqual([]);
});

test.runIf(hasToolkit)("the CUDA toolkit's calculator, asked about anything", () => {
  const any = fc.record({
    architecture: fc.constantFrom(...architectures),
    threadsPerBlock: fc.integer({ min: 1, max: 1024 }),
    registersPerThread: fc.integer({ min: 1, max: 255 }),
    sharedBytes: fc.oneof(
      fc.constant(0),
      fc.integer({ min: 0, max: 16_384 }),
      fc.integer({ min: 0, max: 240_000 }),
    ),
  });
  const inputs = fc.sample(any, 20_000);
  const references = askToolkit(inputs);
  expect(
    inputs.filter((input, at) => !agrees(input, references[at] ?? { blocks: -1, limiters: [] })).slice(0, 5),
  ).toEqual([]);
});
