import { describe, expect, test } from "vitest";
import { type Cubin, type CubinKernel, type FunctionCode, staticFacts } from "../../../server/core/cubin";
import { expectCaseText } from "../../harness/cases";
import { fixtureNames, readFixture, readKnown } from "./fixtures";

/** One row for each kernel and for each line: what a person can check against a disassembly. */
function describeCubin(cubin: Cubin): string {
  const row = (value: object): string => JSON.stringify(value);
  const describeCode = (kind: string, { lines, ...code }: FunctionCode): string[] => [
    `${kind} ${row(code)}`,
    ...lines.map((line) => `  ${row(line)}`),
  ];
  return [
    `sm_${cubin.architecture}`,
    ...cubin.kernels.flatMap((kernel) => describeCode("kernel", kernel)),
    ...cubin.functions.flatMap((code) => describeCode("function", code)),
    "",
  ].join("\n");
}

test.each(fixtureNames)("%s is read as it was disassembled", (name) => {
  expectCaseText(`cubin/${name}.txt`, describeCubin(readKnown(readFixture(name))));
});

function kernelOf(cubin: Cubin, name: string): CubinKernel {
  const kernel = cubin.kernels.find((each) => each.name === name);
  if (kernel === undefined) throw new Error(`no kernel ${name}`);
  return kernel;
}

describe.each(["fixture.sm_75", "fixture.sm_90", "fixture.sm_120"])(
  "%s says what its source says",
  (name) => {
    const cubin = readKnown(readFixture(name));
    const line = (kernel: string, number: number): FunctionCode["lines"][number] | undefined =>
      kernelOf(cubin, kernel).lines.find((each) => each.file.endsWith("fixture.cu") && each.line === number);

    test("a float4 copy moves 16 bytes a lane, in one load and one store", () => {
      const { mix } = kernelOf(cubin, "copy_wide");
      expect([mix["load-global"], mix["store-global"], line("copy_wide", 16)?.widestGlobalAccess]).toEqual([
        1, 1, 16,
      ]);
    });

    test("shared memory, barriers and launch bounds", () => {
      const { sharedBytes, barriers, maximumThreads } = kernelOf(cubin, "reduce");
      expect({ sharedBytes, barriers, maximumThreads }).toEqual({
        sharedBytes: 1024,
        barriers: 1,
        maximumThreads: 256,
      });
    });

    test("both loops are found, and the code around them is in none", () => {
      expect([
        line("reduce", 24)?.loopDepth,
        line("reduce", 29)?.loopDepth,
        line("reduce", 32)?.loopDepth,
      ]).toEqual([1, 1, 0]);
    });

    test("a run-time index takes a stack but spills nothing; too few registers spill", () => {
      expect([
        kernelOf(cubin, "indexed_array").stackBytes,
        kernelOf(cubin, "indexed_array").spills.storeBytes,
      ]).toEqual([64, 0]);
      expect(kernelOf(cubin, "spilling").spills.storeBytes).toBeGreaterThan(300);
      expect(kernelOf(cubin, "indexed_array").lines.every((each) => each.spillInstructions === 0)).toBe(true);
    });

    test("parameters as they are declared, large ones included", () => {
      expect(kernelOf(cubin, "copy_scaled").parameters).toEqual([
        { ordinal: 0, offset: 0, size: 8 },
        { ordinal: 1, offset: 8, size: 8 },
        { ordinal: 2, offset: 16, size: 4 },
        { ordinal: 3, offset: 20, size: 4 },
      ]);
      expect(kernelOf(cubin, "large_parameter").parameters).toEqual([
        { ordinal: 0, offset: 0, size: 6000 },
        { ordinal: 1, offset: 6000, size: 8 },
      ]);
    });

    test("the code of an inlined function stands on its own line", () => {
      expect(line("copy_scaled", 3)?.mix["fp32"]).toBe(1);
    });

    test("no instruction is unknown", () => {
      expect(
        cubin.kernels.flatMap((kernel) => Object.keys(kernel.mix)).filter((each) => each === "unknown"),
      ).toEqual([]);
    });
  },
);

test("static facts of one kernel have the totals of the kernel, and of all kernels their sum", () => {
  const cubin = readKnown(readFixture("fixture.sm_90"));
  const sum = (facts: ReturnType<typeof staticFacts>): number =>
    facts.lines.reduce((total, each) => total + each.instructions, 0);
  const attributed = (kernel: FunctionCode): number =>
    kernel.lines.filter(({ file }) => file !== "").reduce((total, each) => total + each.instructions, 0);
  expect(sum(staticFacts(cubin, "reduce"))).toBe(attributed(kernelOf(cubin, "reduce")));
  expect(sum(staticFacts(cubin))).toBe(
    cubin.kernels.reduce((total, kernel) => total + attributed(kernel), 0),
  );
  expect(staticFacts(cubin, "spilling").kernels).toEqual([
    {
      kernel: "spilling",
      architecture: "sm_90",
      registers: 32,
      spillStoreBytes: 728,
      spillLoadBytes: 996,
      stackBytes: 504,
      sharedBytes: 0,
    },
  ]);
});
