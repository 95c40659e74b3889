import { expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import type { CapturedProgram, CapturedWorkload } from "../../../server/host/services/services";
import { ownComplaint } from "../../../server/host/services/workload/own-complaint";

const spec = (kernel: string): KernelSpec => ({
  ...{ file: "add.cu", kernel, dialect: "cuda", inputs: {}, outputs: {}, shapes: [] },
  run: { kind: "launch", launch: { arguments: [] } },
  reference: { kind: "baseline" },
  objective: "modelled-bound",
});

const workload = (kernel: string): CapturedWorkload => ({
  ...{ kernel, file: "add.cu", different: 1, leftOut: 0, launches: 1 },
  found: {
    ...{ spec: spec(kernel), specPath: "add.cu.kernel.json", specFolder: "", text: "" },
    ...{ inferred: true, unknowns: [] },
  },
});

const ran: CapturedProgram = {
  ...{ code: 1, signal: undefined, cut: undefined, launches: 3, problems: [], notes: [] },
  workloads: [workload("add")],
  output: "running\nFAILED: 232 wrong\n",
};

test.each<[string, Partial<CapturedProgram>, string | undefined]>([
  ["a status and words for a wrong result", {}, 'the program ended with 1 and says "FAILED: 232 wrong"'],
  ["words alone", { code: 0 }, undefined],
  [
    "a line of nothing else, whatever the status",
    { code: 0, output: "2 of 64 differ\n\nTest FAILED!\n" },
    'the program ended with 0 and says "Test FAILED!"',
  ],
  ["a status alone", { output: "done in 3 ms\n" }, undefined],
  ["words for something else", { output: "failed to open data.bin\n" }, undefined],
  ["a status before any launch", { launches: 0 }, undefined],
  ["a signal", { code: 139, signal: "SIGSEGV" }, undefined],
  ["a program that was not run whole", { cut: "it did not end within 60 s" }, undefined],
  [
    "a limit of the virtual GPU",
    {
      problems: [
        {
          ...{ kind: "told", file: "add.cu", line: 9, related: [] },
          message: "the virtual GPU's 4 GiB are used up, so that the program gets cudaErrorMemoryAllocation",
        },
        { kind: "out-of-bounds", file: "add.cu", line: 4, related: [], message: "out of bounds: writes" },
      ],
    },
    undefined,
  ],
  ["another kernel, which may be meant", { workloads: [workload("add"), workload("sum")] }, undefined],
  ["a launch of a kernel that is not known", { notes: ["sum: its source is in no file"] }, undefined],
  [
    "a fault of the kernel's file, whatever is written",
    {
      output: "",
      workloads: [],
      problems: [
        { kind: "out-of-bounds", file: "add.cu", line: 4, related: [], message: "out of bounds: reads" },
      ],
    },
    "out of bounds: reads, when main.cu runs",
  ],
  [
    "a fault that Python raises",
    {
      output:
        "Traceback (most recent call last):\nkernelwright.KernelError: /home/me/add.cu:10: out of bounds: reads\n",
      workloads: [],
    },
    "out of bounds: reads, when main.cu runs",
  ],
  [
    "the test that failed, not how many did",
    { output: "FAILED add.py::test_add - AssertionError: not close\n1 failed in 4.14s\n" },
    'the program ended with 1 and says "FAILED add.py::test_add - AssertionError: not close"',
  ],
  [
    "a fault of another file",
    {
      output: "",
      problems: [{ kind: "out-of-bounds", file: "other.cu", line: 4, related: [], message: "" }],
    },
    undefined,
  ],
])("a program says against its kernel: %s", (_, given, expected) => {
  const request = {
    ...{ file: "add.cu", text: "", kernel: "add", signal: new AbortController().signal },
    target: { kind: "vgpu", architecture: "sm_80" } as const,
  };
  expect(ownComplaint({ ...ran, ...given }, "main.cu", request)?.message).toBe(expected);
});

const twoKernels = `@triton.jit
def widen(x, y):
    tl.store(y, tl.load(x))


@triton.jit
def shared(x):
    return x


@triton.jit
def narrow(x, y):
    tl.store(y, shared(tl.load(x)))


def both(x, y):
    widen[(1,)](x, y)
    narrow[(1,)](x, y)
`;

test.each<[string, { kernel: string; line: number; others: readonly string[]; isSaid: boolean }]>([
  ["the kernel that it is in", { kernel: "narrow", line: 13, others: ["widen"], isSaid: true }],
  ["no other kernel of the file", { kernel: "widen", line: 13, others: [], isSaid: false }],
  ["nobody, where two may have called", { kernel: "widen", line: 8, others: ["narrow"], isSaid: false }],
  ["the only one that may have called", { kernel: "narrow", line: 8, others: [], isSaid: true }],
])("a fault in a Python file is said of %s", (_, { kernel, line, others, isSaid }) => {
  const request = {
    ...{ file: "both.py", text: twoKernels, kernel, signal: new AbortController().signal },
    target: { kind: "vgpu", architecture: "sm_80" } as const,
  };
  const output = `kernelwright.KernelError: both.py:${line}: out of bounds: reads\n`;
  const workloads = others.map((name) => ({ ...workload(name), file: "both.py" }));
  const complaint = ownComplaint({ ...ran, output, workloads }, "both.py::", request);
  expect(complaint?.line).toBe(isSaid ? line : undefined);
});
