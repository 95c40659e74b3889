import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readCsv } from "../../../server/core/imports/csv";
import { findingLine, ncuLines } from "../../../server/core/imports/import-text";
import { readNcuReport } from "../../../server/core/imports/ncu-report";
import { readSanitizerReport } from "../../../server/core/imports/sanitizer-report";
import { readToolOutput, toolLines } from "../../../server/core/imports/tool-output";
import { refusalsIn } from "../../../server/core/imports/tool-refusals";
import { projectRoot } from "../../architecture/project";

const load = (file: string): string => readFileSync(join(projectRoot, "test/cases/imports", file), "utf8");

const ncuCases: readonly { readonly file: string; readonly lines: readonly string[] }[] = [
  {
    file: "raw.csv",
    lines: [
      "scale(float *, int) <<<(4, 1, 1), (256, 1, 1)>>>, measured with ncu on NVIDIA H100 80GB HBM3: time 1205.5 us, warp instructions 1500, global load sectors 4096",
      "not shown, since they have no row in ncu-metrics.json: device__attribute_display_name, sm__made_up.sum",
    ],
  },
  {
    file: "details.csv",
    lines: [
      "scale(float *, int) <<<(4, 1, 1), (256, 1, 1)>>>, measured with ncu on sm_75: time 2000 ns, achieved occupancy 50.25%",
      'ncu\'s rule AchievedOccupancy (ncu estimates 49.75%): Warps differ in their length,\\x0asee "Occupancy".',
    ],
  },
  {
    file: "source-lines.csv",
    lines: [
      "/home/user/scale.cu:7: samples 30, samples waiting for global or local memory 20, warp instructions 96, global load requests 32, global load sectors 256, shared store requests 32, shared wavefronts 1024, bank conflict ways 32",
      "/home/user/scale.cu:8: warp instructions 32",
    ],
  },
  {
    file: "source-machine-code.csv",
    lines: [
      "scale(float *, int), measured with ncu: samples 22, warp instructions 64, global load requests 32, global load sectors 256",
    ],
  },
  {
    file: "recorded-h200-raw.csv",
    lines: [
      "stride_read(const float *, float *, int, int) <<<(16384, 1, 1), (256, 1, 1)>>>, measured with ncu on sm_90: DRAM bytes read 8394752 byte, DRAM bytes written 3108352 byte, memory throughput 90.74%, time 31136 ns, L1 hit rate 1.09%, registers of a thread 16 register/thread, L2 hit rate 93.97%, multiprocessor throughput 19.36%, achieved occupancy 82.26%, samples 3690, samples waiting for global or local memory 2899 warp, samples waiting for an arithmetic pipe 3 warp, samples waiting for the queue of shared memory 7 warp, samples waiting for shared memory or special functions 130 warp, samples in a fixed wait 184 warp, warp instructions 5242880, global load requests 131072, global load sectors 4194304, global store requests 131072, global store sectors 524288",
      "column_sum(const float *, float *, int, int) <<<(4096, 1, 1), (32, 32, 1)>>>, measured with ncu on sm_90: DRAM bytes read 16781312 byte, DRAM bytes written 926208 byte, memory throughput 72.4%, time 73472 ns, L1 hit rate 10.25%, registers of a thread 16 register/thread, L2 hit rate 88.79%, multiprocessor throughput 8.24%, achieved occupancy 75.89%, samples 8910, samples waiting at a barrier 524 warp, samples waiting for the queue of global memory 3 warp, samples waiting for global or local memory 2106 warp, samples waiting for an arithmetic pipe 4 warp, samples waiting for the queue of shared memory 462 warp, samples waiting for shared memory or special functions 1795 warp, samples in a fixed wait 65 warp, warp instructions 3538944, global load requests 131072, global load sectors 524288, global store requests 131072, global store sectors 4196860",
      "not shown: 6 figures without a row in ncu-metrics.json, such as derived__sm__sass_thread_inst_executed_op_dfma_pred_on_x2, derived__sm__sass_thread_inst_executed_op_ffma_pred_on_x2, derived__sm__sass_thread_inst_executed_op_hfma_pred_on_x4",
    ],
  },
  {
    file: "recorded-h200-triton-source.csv",
    lines: [
      "/home/user/softmax.py:10: samples 4, warp instructions 256, thread instructions 8192",
      "/home/user/softmax.py:16: samples 4, samples in a fixed wait 3, warp instructions 9216, thread instructions 294912",
      "/home/user/softmax.py:18: samples 8, samples in a fixed wait 4, warp instructions 15872, thread instructions 507904, global load requests 2048, global load sectors 8000, ideal global load sectors 8000",
      "/home/user/softmax.py:19: samples 8, samples waiting for shared memory or special functions 7, samples in a fixed wait 1, warp instructions 2048, thread instructions 65536",
      "/home/user/softmax.py:22: samples 1, warp instructions 6144, thread instructions 196608",
      "/home/user/softmax.py:24: samples 2, samples in a fixed wait 1, warp instructions 14592, thread instructions 466944, global load requests 2048, global load sectors 8000, ideal global load sectors 8000",
      "/home/user/softmax.py:25: samples 23, samples waiting for global or local memory 6, samples waiting for shared memory or special functions 8, samples in a fixed wait 6, warp instructions 14336, thread instructions 458752",
      "/home/user/softmax.py:27: samples 6, samples in a fixed wait 4, warp instructions 3584, thread instructions 114688",
      "/home/user/softmax.py:29: samples 8, samples waiting for shared memory or special functions 1, samples in a fixed wait 5, warp instructions 14656, thread instructions 463872, global load requests 2048, global load sectors 8000, ideal global load sectors 8000, divergent branches 64",
      "/home/user/softmax.py:30: samples 29, samples waiting for global or local memory 8, samples waiting for shared memory or special functions 2, samples in a fixed wait 13, warp instructions 27392, thread instructions 876544, global store requests 2048, global store sectors 8000, ideal global store sectors 8000",
      "not shown: 46 figures without a row in ncu-metrics.json, such as Avg. Predicated-On Threads Executed, Avg. Predicated-On Threads Unexecuted, Avg. Threads Executed",
    ],
  },
];

for (const { file, lines } of ncuCases)
  test(`ncu's ${file} is shown in our names`, () => {
    const read = readNcuReport(load(file));
    expect(read.ok ? ncuLines(read.value) : read.problem).toEqual(lines);
  });

test("an instruction that ncu lists twice under its line counts once", () => {
  const read = readNcuReport(load("recorded-h200-source.csv"));
  const lines = read.ok ? read.value.lines : [];
  const counted = lines.map(({ line, counters: each }) => [
    ...[line, each.globalLoadRequests ?? 0, each.globalLoadSectors ?? 0, each.globalStoreSectors ?? 0],
    ...[each.sharedWavefronts ?? 0, each.sharedWavefrontsIdeal ?? 0],
  ]);
  expect(counted).toEqual([
    [4, 0, 0, 0, 0, 0],
    [5, 0, 0, 0, 0, 0],
    [6, 131072, 4194304, 524288, 0, 0],
    [7, 0, 0, 0, 0, 0],
    [9, 0, 0, 0, 0, 0],
    [11, 0, 0, 0, 0, 0],
    [12, 131072, 524288, 0, 131072, 131072],
    [13, 0, 0, 0, 0, 0],
    [14, 0, 0, 4194304, 4194304, 131072],
    [15, 0, 0, 0, 0, 0],
  ]);
});

const protonCases: readonly {
  readonly title: string;
  readonly text: string;
  readonly says: readonly string[];
}[] = [
  {
    title: "with samples of lines",
    text: load("proton-samples.hatchet"),
    says: [
      "rows_kernel, measured with Proton on sm_90: time 6000 ns in 2 launches, 75% of all kernels' time",
      "fill_kernel, measured with Proton on sm_90: time 2000 ns in 1 launch, 25% of all kernels' time",
      "/home/user/rows.py:30: launches kernels: time 8000 ns in 3 launches, 100% of all kernels' time",
      "/home/user/rows.py:12: samples 40, samples waiting for global or local memory 25, samples in a fixed wait 5",
      "/home/user/rows.py:13: samples 8, samples waiting at a barrier 8",
    ],
  },
  {
    title: "as it was recorded",
    text: load("recorded-h100-proton-samples.hatchet"),
    says: [
      "rows_kernel, measured with Proton on sm_90: time 486057 ns in 51 launches, 49% of all kernels' time, samples 100979, samples waiting at a barrier 4903, samples waiting for the queue of global memory 58, samples waiting for global or local memory 16565, samples waiting for an arithmetic pipe 1648, samples waiting for the queue of shared memory 2071, samples waiting for shared memory or special functions 21669, samples in a fixed wait 9450",
      "product_kernel, measured with Proton on sm_90: time 504651 ns in 51 launches, 51% of all kernels' time, samples 125390, samples waiting at a barrier 6703, samples waiting for the queue of global memory 1, samples waiting for global or local memory 25110, samples waiting for an arithmetic pipe 1134, samples waiting for the queue of shared memory 521, samples waiting for shared memory or special functions 2063, samples in a fixed wait 12855",
      "/home/user/rows.py:36: launches kernels: time 486057 ns in 51 launches, 49% of all kernels' time",
      "/home/user/rows.py:39: launches kernels: time 504651 ns in 51 launches, 51% of all kernels' time",
    ],
  },
  {
    title: "without a kernel",
    text: '[{"frame":{"name":"ROOT","type":"function"},"metrics":{},"children":[]}]',
    says: ["Proton saw no kernel"],
  },
  {
    title: "that is cut off",
    text: '[{"frame":{"name":"ROOT"},"metrics":{},"children":[',
    says: ["1: a profile of Proton's that is no JSON"],
  },
  {
    title: "whose node has no children",
    text: '[{"frame":{"name":"ROOT"},"metrics":{},"children":[{"frame":{"name":"k"},"metrics":{}}]}]',
    says: ["1: the tree of Proton: children[0].children: expected a list, found nothing"],
  },
];

for (const { title, text, says } of protonCases)
  test(`a profile of Proton's ${title} is shown in our names`, () => {
    const read = readToolOutput(text);
    const lines = read.ok ? toolLines(read.value, "x") : [`${read.problem.line}: ${read.problem.text}`];
    expect(lines.map((line) => line.replace(/(no JSON).*/, "$1"))).toEqual(says);
  });

const brokenCases: readonly { readonly title: string; readonly text: string; readonly says: string }[] = [
  { title: "no table", text: "hello\n", says: "1: expected a table of `ncu --csv" },
  {
    title: "a row that is cut off",
    text: `${load("source-machine-code.csv")}"0x7f20","NOP"\n`,
    says: "5: expected 7 cells, as in the header on line 2, and found 2",
  },
  {
    title: "a quote that never ends",
    text: `${load("source-machine-code.csv")}"0x7f20","NO`,
    says: "5: a quote begins here and never ends",
  },
  {
    title: "text behind a quote",
    text: '"ID","Kernel Name"\n"0"x,"k"\n',
    says: "2: expected a comma or the end of the line",
  },
  {
    title: "a launch without a number",
    text: '"ID","Kernel Name"\n"one","k"\n',
    says: '2: expected the number of a launch as ID, and found "one"',
  },
];

for (const { title, text, says } of brokenCases)
  test(`ncu's output with ${title} names the line`, () => {
    const read = readNcuReport(text);
    expect(read.ok ? "read" : `${read.problem.line}: ${read.problem.text}`).toContain(says);
  });

test("CSV comes back as it was written, whatever its cells hold", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r", "=", " ", "é") });
  const records = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 6 });
  fc.assert(
    fc.property(records, fc.constantFrom("\n", "\r\n"), (cells, end) => {
      const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
      const text = cells.map((row) => row.map(quote).join() + end).join("");
      const read = readCsv(text);
      expect(read.ok ? read.value.map((record) => record.cells) : read.problem).toEqual(cells);
    }),
  );
});

test.each([
  [
    "a quote in a source line",
    '"18","f("-inf")","0"\n"19","x","1"\n',
    [
      ["18", 'f("-inf")', "0"],
      ["19", "x", "1"],
    ],
  ],
  ["at its end", '"1","s = "a"","0"\r\n', [["1", 's = "a"', "0"]]],
  ["three of them", '"1",""""what it does."""","0"', [["1", '"""what it does."""', "0"]]],
  ["one with a comma is cut there", '"1","split(",")","0"\n', [["1", "split(", ")", "0"]]],
])("ncu doubles no quotes: %s", (_, text, cells) => {
  const read = readCsv(text);
  expect(read.ok ? read.value.map((record) => record.cells) : read.problem).toEqual(cells);
});

test("a source line with a quote, a comma and a quote is whole", () => {
  const read = readNcuReport(
    '"Line No","Source","Address","Source","# Samples"\n"7","for x in text.split(","):","-","-","5"\n',
  );
  expect(read.ok ? ncuLines(read.value) : read.problem).toEqual([":7: samples 5"]);
});

test("any text is read as CSV or refused with a line of it", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r", "=") }), (text) => {
      const read = readCsv(text);
      if (!read.ok) expect(read.problem.line).toBeLessThanOrEqual(text.split(/\r\n|\r|\n/).length);
    }),
  );
});

const sanitizerCases: readonly { readonly file: string; readonly lines: readonly string[] }[] = [
  {
    file: "memcheck.txt",
    lines: [
      "/home/user/scale.cu:6: out-of-bounds: Invalid __global__ write of size 4 bytes: Address 0x7f00 is out of bounds, 2 times",
      "/home/user/scale.cu:6: misaligned: Invalid __global__ write of size 4 bytes: Address 0x7efc is misaligned",
      "Something that no row of the table knows",
      "ERROR SUMMARY: 3 errors",
    ],
  },
  {
    file: "racecheck.txt",
    lines: [
      "sum.cu:12: shared-race: Error: Race reported between Write access; the other access is a read at sum.cu:14",
      "(no line: compile with -lineinfo): divergent-barrier: Barrier error detected. Divergent thread(s) in block.",
      "RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)",
    ],
  },
  {
    file: "recorded-h200-memcheck.txt",
    lines: [
      "demo.cu:19: out-of-bounds: Invalid __global__ write of size 4 bytes: Access to 0x7f8ffd800fa0 is out of bounds, 2 times",
      "ERROR SUMMARY: 27 errors",
    ],
  },
  {
    file: "recorded-h200-racecheck.txt",
    lines: [
      "demo.cu:24: shared-race: Error: Race reported between Write access; the other access is a read at demo.cu:25",
      "RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)",
    ],
  },
];

for (const { file, lines } of sanitizerCases)
  test(`compute-sanitizer's ${file} becomes findings of ours`, () => {
    const { findings, unknown, summaries } = readSanitizerReport(load(file));
    expect([...findings.map(findingLine), ...unknown, ...summaries]).toEqual(lines);
  });

test("a finding has thread and block", () => {
  expect(readSanitizerReport(load("memcheck.txt")).findings[0]).toMatchObject({
    thread: [255, 0, 0],
    block: [3, 0, 0],
    count: 2,
  });
});

test("a refusal of a tool is known by its words", () => {
  const text = "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access counters\n";
  expect(refusalsIn(text).map(({ means }) => means)).toEqual([
    "the driver lets only administrators read the GPU's counters",
  ]);
});
