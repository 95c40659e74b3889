import fc from "fast-check";
import { expect, test } from "vitest";
import { capabilityOf, defaultGpu, limitsOf } from "../../../server/core/kernel/gpu-model";
import { occupancy, type OccupancyInput } from "../../../server/core/kernel/occupancy";

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
  expect(occupancy({ architecture: "sm_80", threadsPerBlock: 256, registersPerThread: 33, sharedBytes: 0 }).advice).toBe("32 registers a thread instead of 33 would let 7 blocks in");
  expect(occupancy({ architecture: "sm_80", threadsPerBlock: 128, registersPerThread: 32, sharedBytes: 40 * 1024 }).advice).toBe("32512 bytes of shared memory a block instead of 40960 would let 5 blocks in");
});

const inputs = fc.record({ architecture: fc.constantFrom("sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"), threadsPerBlock: fc.integer({ min: 1, max: 1024 }), registersPerThread: fc.integer({ min: 1, max: 64 }), sharedBytes: fc.integer({ min: 0, max: 40_000 }) });

test("what the advice asks for is enough, and more of a resource never admits more blocks", () => {
  fc.assert(fc.property(inputs, (input: OccupancyInput) => {
    const found = occupancy(input);
    expect(found.warpsPerSm).toBeLessThanOrEqual(limitsOf(input.architecture).warpsPerSm);
    const more = occupancy({ ...input, registersPerThread: input.registersPerThread + 8, sharedBytes: input.sharedBytes + 4096 });
    expect(more.blocksPerSm).toBeLessThanOrEqual(found.blocksPerSm);
    const [, figure] = /^(\d+) (?:registers|bytes)/.exec(found.advice) ?? [];
    if (figure === undefined || Number(figure) === 0) return;
    const changed = found.limiter === "registers" ? { ...input, registersPerThread: Number(figure) } : { ...input, sharedBytes: Number(figure) };
    const after = occupancy(changed);
    expect(after.limiter !== found.limiter || after.blocksPerSm > found.blocksPerSm).toBe(true);
  }));
});

test("every architecture has limits and a GPU that stands for it", () => {
  expect(["sm_70", "sm_80", "sm_90a", "sm_103", "sm_120"].map(capabilityOf)).toEqual(["7.0", "8.0", "9.0", "10.3", "12.0"]);
  expect(["sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120", "sm_87"].map((each) => defaultGpu(each).name)).toEqual(
    ["V100 SXM2", "T4", "A100 40GB SXM", "A10", "RTX 4090", "H100 SXM", "B200", "RTX 5090", "A10"]);
});
