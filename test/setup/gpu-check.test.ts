import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { hardwarePage, hardwareReport } from "../../server/setup/support/hardware-report.mjs";
import { counterAgreement } from "../../server/setup/support/counter-agreement.mjs";
import { inRepository } from "../../server/setup/support/layout.mjs";

// Made up: no GPU was asked.
const gpu = { name: "No GPU", driver: "0.0", smMegahertz: 1000, memoryMegahertz: 2000, heldBack: [] };
const about = { date: "2000-01-01", compiler: "nvcc V0", product: "0.0.0", target: "gpu:0" };

it("without a GPU it says so, writes nothing and ends with 3", () => {
  const ended = spawnSync(process.execPath, [inRepository("server/setup/gpu-check.mjs")], {
    encoding: "utf8",
    env: { ...process.env, PATH: "/nowhere" },
  });
  expect([ended.status, ended.stderr]).toEqual([
    3,
    "gpu:check needs an NVIDIA GPU with its driver: there is no nvidia-smi. Nothing was measured.\n",
  ]);
  expect(hardwareReport([{ what: "check a.cu", kind: "failed" }], about)).toBe(undefined);
});

it("the page tells GPU, driver, clocks, versions and every time with its interval", () => {
  const shape = { sizes: { n: 64 }, cache: "cold", nanoseconds: 1500, isSteady: true };
  const comparison = { kind: "faster", baselineNanoseconds: 3000, ratio: 2, lower: 1.9, upper: 2.1 };
  const measured = {
    before: gpu,
    after: { ...gpu, heldBack: ["the power limit"] },
    protections: ["network"],
  };
  const page = hardwareReport(
    [
      { what: "check a.cu", kind: "correct", measured: { ...measured, shapes: [shape], remarks: ["A."] } },
      {
        what: "more",
        kind: "improved",
        measured: { ...measured, shapes: [{ ...shape, comparison, isSteady: true }], remarks: ["A."] },
      },
      { what: "check b.cu", kind: "wrong" },
      {
        what: "c",
        kind: "correct",
        measured: { ...measured, shapes: [{ ...shape, isSteady: false }], remarks: [] },
      },
    ],
    about,
  );
  expect(page).toMatchInlineSnapshot(`
    "## No GPU

    - Measured on 2000-01-01
    - Target \`gpu:0\`, nvcc V0, Kernelwright 0.0.0
    - Before: No GPU, driver 0.0, SM clock 1000 MHz, memory clock 2000 MHz
    - After: No GPU, driver 0.0, SM clock 1000 MHz, memory clock 2000 MHz, held back by the power limit

    | what | shape | cache | time | against its baseline |
    | --- | --- | --- | --- | --- |
    | check a.cu | n=64 | cold | 1.5 µs |  |
    | more | n=64 | cold | 1.5 µs | faster: 3 µs before, 2.000 times (1.900 to 2.100) |
    | check b.cu |  |  |  | wrong |
    | c | n=64 | cold | 1.5 µs (the clock did not settle) |  |

    Walls around the processes: network.
    A.
    "
  `);
});

it("the page tells what NVIDIA's tools said, how their counters agree and how far the model was off", () => {
  const counters = { globalLoadSectors: 8, sharedWavefronts: 4 };
  const counted = [
    { file: "a.cu", line: 3, counters },
    { file: "a.cu", line: 4, counters: { globalLoadSectors: 2 } },
    { file: "other.h", line: 3, counters },
  ];
  const measuredLines = [
    { file: "/tmp/a.cu", line: 3, counters: { globalLoadSectors: 8, sharedWavefronts: 1 } },
    { file: "/tmp/a.cu", line: 4, counters: { globalLoadSectors: 2 } },
  ];
  const shape = { sizes: { n: 64 }, cache: "cold", nanoseconds: 1500, isSteady: true };
  const modelError = {
    ...{ sizes: { n: 64 }, cache: "cold", by: "simulation" },
    modelledNanoseconds: 1000,
    launchNanoseconds: 500,
  };
  const measured = { before: gpu, after: gpu, shapes: [shape], protections: [], remarks: [] };
  const page = hardwareReport(
    [
      {
        ...{ what: "profile a.cu", kind: "correct", tools: ["ncu 1: 1 launches, 2 source lines"] },
        measured: { ...measured, modelError: { ...modelError, ratio: 1.5 } },
        agreement: counterAgreement(counted, measuredLines, "a.cu"),
      },
    ],
    about,
  );
  expect(page?.split("\n").slice(10)).toMatchInlineSnapshot(`
    [
      "",
      "### The model",
      "",
      "| what | cache | modelled by | modelled | launching | the GPU took |",
      "| --- | --- | --- | --- | --- | --- |",
      "| profile a.cu | cold | simulation | 1 µs | 0.5 µs | 1.50 times both |",
      "",
      "### profile a.cu",
      "",
      "- ncu 1: 1 launches, 2 source lines",
      "",
      "The virtual GPU counts on PTX, ncu on machine code: where the assembler joins loads or turns a branch into predicates",
      "they differ.",
      "",
      "| counter | virtual GPU | ncu | equal on lines |",
      "| --- | --- | --- | --- |",
      "| global load sectors | 10 | 10 | 2 of 2 |",
      "| shared wavefronts | 4 | 1 | 0 of 1 |",
      "",
      "Walls around the processes: none.",
      "",
    ]
  `);
});

it("a run replaces the part of its own GPU and keeps those of others", () => {
  const first = hardwarePage("# Measured on a GPU\n\nOf an older version.\n", "## A\n\n- one\n");
  const second = hardwarePage(first, "## B\n\n- two\n\n### The model\n");
  const third = hardwarePage(second, "## A\n\n- three\n");
  expect(third.slice(third.indexOf("## "))).toBe("## B\n\n- two\n\n### The model\n\n## A\n\n- three\n");
  expect(third.match(/^# /gm)).toHaveLength(1);
});
