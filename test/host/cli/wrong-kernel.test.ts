import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startOpenAiServer } from "../../harness/openai-server";
import { Workplace, lastObject } from "./workplace";

let place: Workplace;
beforeEach(() => {
  place = new Workplace();
});
afterEach(() => place.remove());

interface Edit {
  readonly old_text: string;
  readonly new_text: string;
}

interface WrongKernel {
  readonly file: string;
  /** What makes the sample wrong; turned round it mends it. */
  readonly fault: Edit;
  /** A second candidate, faster than the mended kernel. */
  readonly faster?: Edit;
  /** What the model is told of the failure. */
  readonly told: RegExp;
  readonly expected: unknown;
}

const model = "sk-wrong-kernel-0123456789";

/** A model that mends the kernel, makes it faster where the case says how, and finishes. */
async function mend({ file, fault, faster }: WrongKernel): Promise<{
  readonly report: Record<string, unknown>;
  readonly task: string;
}> {
  const path = join(place.samples, file);
  writeFileSync(path, readFileSync(path, "utf8").replace(fault.old_text, fault.new_text));
  const right = { old_text: fault.new_text, new_text: fault.old_text };
  const steps = [right, ...(faster === undefined ? [] : [faster])].map((edit, index) => ({
    calls: [
      { name: "edit", arguments: { path: file, ...edit } },
      { name: "submit_candidate", arguments: { hypothesis: `step ${index + 1}` } },
    ],
  }));
  const finish = { calls: [{ name: "finish", arguments: { reason: "done" } }] };
  const server = await startOpenAiServer({ key: model, replies: [...steps, finish] });
  try {
    const options = ["--strategy", "refine", "--model", "scripted", "--endpoint", server.url];
    const ended = await place.run(["optimize", file, "--json", ...options], {
      KERNELWRIGHT_MODEL_KEY: model,
    });
    return { report: lastObject(ended), task: server.requests[0]?.body.messages[1]?.content ?? "" };
  } finally {
    await server.close();
  }
}

const cases: readonly WrongKernel[] = [
  {
    file: "vector_add.cu",
    fault: { old_text: "if (i < n) {", new_text: "if (i < n - n % 32) {" },
    faster: {
      old_text:
        "(blockIdx.x * blockDim.x + threadIdx.x) * kItems;\n  for (int item = 0; item < kItems; ++item) {\n    int i = first + item;",
      new_text:
        "blockIdx.x * blockDim.x * kItems + threadIdx.x;\n  for (int item = 0; item < kItems; ++item) {\n    int i = first + item * blockDim.x;",
    },
    told: /it is not correct[^]*shape n=10007: out\[9984\]: expected [^]*the smallest shape found that fails so/,
    expected: {
      best: { id: "c2", parent: "c1", stage: "faster" },
      baselineFault: {
        outcome: "wrong",
        summary: expect.stringMatching(/^wrong on shape n=10007/) as string,
      },
      reason: expect.stringMatching(
        /^candidate 1 is correct on \d+ cases \(full check\), .*modelled bound .*, where the kernel as it stands is wrong on shape n=10007; candidate 2 is faster than candidate 1: /,
      ) as string,
    },
  },
  {
    file: "vector_add.py",
    fault: { old_text: "mask = offsets < n\n", new_text: "mask = offsets < n + BLOCK\n" },
    told: /it is not correct[^]*out of bounds[^]*The lines that this names:\n- vector_add\.py:\d+: /,
    expected: {
      best: { id: "c1", parent: "baseline", stage: "correct" },
      baselineFault: {
        outcome: "did-not-run",
        summary: expect.stringMatching(/^faulted: vector_add\.py:\d+: out of bounds/) as string,
      },
      reason: expect.stringMatching(
        /^candidate 1 is correct on \d+ cases \(full check\), .*modelled bound .*, where the kernel as it stands faulted: /,
      ) as string,
    },
  },
];

for (const wrong of cases)
  test(`${wrong.file}: a wrong kernel is mended by a model, with no gain claimed`, async () => {
    const { report, task } = await mend(wrong);
    expect(report).toMatchObject({
      outcome: "improved",
      ...(wrong.expected as object),
      bound: { before: null },
      counters: { before: null },
    });
    expect(task).toMatch(wrong.told);
  });

/** A kernel that nobody has written: its spec, and what the model puts into the file that is made. */
interface FirstKernel {
  readonly file: string;
  readonly spec: object;
  readonly edits: readonly Edit[];
  readonly begun: string;
}

const rowMaxima = {
  version: 1,
  inputs: { x: { dtype: "float16", shape: ["rows", "columns"] } },
  outputs: { y: { dtype: "float32", shape: ["rows"] } },
  shapes: [{ sizes: { rows: 64, columns: 96 } }],
  reference: { expressions: { y: "x.max(axis=1)" } },
};

const firstKernels: readonly FirstKernel[] = [
  {
    file: "maxima.cu",
    spec: {
      ...rowMaxima,
      kernel: "maxima.cu::maxima",
      entry: {
        call: "maxima.cu::row_maxima",
        arguments: [
          "x",
          "y",
          { value: "rows", dtype: "int32" },
          { value: "columns", dtype: "int32" },
          { value: "rows * columns", dtype: "int64" },
        ],
      },
    },
    begun: `#include <cuda_fp16.h>

__global__ void maxima(const __half* x, float* y, int rows, int columns, long long value4) {
}

void row_maxima(const __half* x, float* y, int rows, int columns, long long value4) {
  maxima<<<1, 1>>>(x, y, rows, columns, value4);
}
`,
    edits: [
      {
        old_text: "long long value4) {\n}\n",
        new_text: `long long value4) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float best = -INFINITY;
  for (int column = 0; column < columns; column++)
    best = fmaxf(best, __half2float(x[row * columns + column]));
  y[row] = best;
}
`,
      },
      { old_text: "maxima<<<1, 1>>>", new_text: "maxima<<<(rows + 63) / 64, 64>>>" },
    ],
  },
  {
    file: "maxima.py",
    spec: {
      ...rowMaxima,
      kernel: "maxima.py::maxima_kernel",
      entry: { call: "maxima.py::maxima", arguments: ["x"] },
    },
    begun: `import torch
import triton
import triton.language as tl


@triton.jit
def maxima_kernel():
    pass


def maxima(x):
    raise NotImplementedError("maxima computes nothing yet")
`,
    edits: [
      {
        old_text: "def maxima_kernel():\n    pass",
        new_text: `def maxima_kernel(x, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf"))
    tl.store(y + row, tl.max(values.to(tl.float32), 0))`,
      },
      {
        old_text: '    raise NotImplementedError("maxima computes nothing yet")',
        new_text: `    y = torch.empty(x.shape[0], device=x.device)
    maxima_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
    return y`,
      },
    ],
  },
];

/** Runs `optimize` on a spec alone, with a model that makes these edits. */
async function write(file: string, spec: object, edits: readonly Edit[]): ReturnType<Workplace["run"]> {
  writeFileSync(join(place.samples, `${file}.kernel.json`), JSON.stringify(spec));
  const calls = edits.map((edit) => ({ name: "edit", arguments: { path: file, ...edit } }));
  const submit = { name: "submit_candidate", arguments: { hypothesis: "a thread for each row" } };
  const finish = { calls: [{ name: "finish", arguments: { reason: "done" } }] };
  const server = await startOpenAiServer({
    key: model,
    replies: [{ calls: [...calls, submit] }, finish],
  });
  try {
    const options = ["--strategy", "refine", "--model", "scripted", "--endpoint", server.url];
    return await place.run(["optimize", `${file}.kernel.json`, "--json", "--apply", ...options], {
      KERNELWRIGHT_MODEL_KEY: model,
    });
  } finally {
    await server.close();
  }
}

for (const { file, spec, edits, begun } of firstKernels)
  test(`${file}: a kernel that only its spec describes is written by a model, with no gain claimed`, async () => {
    const ended = await write(file, spec, edits);
    expect(lastObject(ended)).toMatchObject({
      outcome: "improved",
      best: { id: "c1", stage: "correct" },
      bound: { before: null },
    });
    expect(ended.errors).toContain(
      `${file} was not there: it begins with empty functions, as ${file}.kernel.json describes them`,
    );
    const written = edits.reduce((text, edit) => text.replace(edit.old_text, edit.new_text), begun);
    expect(readFileSync(join(place.samples, file), "utf8")).toBe(written);
  });

test("without a model, and without a spec that says enough, no file is made", async () => {
  const [cuda] = firstKernels;
  const spec = cuda?.spec ?? {};
  const told: string[] = [];
  for (const [name, fields, options] of [
    ["a", {}, []],
    ["b", { reference: "baseline" }, ["--strategy", "refine", "--model", "m"]],
    ["c", { entry: undefined, launch: { arguments: ["x", "y"] } }, ["--strategy", "refine", "--model", "m"]],
    ["d", {}, ["--strategy", "refine"]],
  ] as const) {
    const text = JSON.stringify({ ...spec, ...fields }).replaceAll("maxima.cu", `${name}.cu`);
    writeFileSync(join(place.samples, `${name}.cu.kernel.json`), text);
    const ended = await place.run(["optimize", `${name}.cu.kernel.json`, ...options]);
    told.push(ended.errors.split("\n").find((line) => line.startsWith("error: ")) ?? "");
    expect(existsSync(join(place.samples, `${name}.cu`))).toBe(false);
  }
  const named = await place.run(["check", "a.cu"]);
  expect([...told, named.errors.trim()]).toEqual([
    "error: a.cu is not there yet, and no rule writes a kernel: a model can, with the strategy refine or search",
    'error: b.cu.kernel.json: b.cu is not there yet and cannot be begun: "reference" is "baseline": without a kernel nothing says what is right. Write the file with empty functions, and a model fills them in.',
    'error: c.cu.kernel.json: c.cu is not there yet and cannot be begun: "launch" has no grid or no block, which cannot be read from a source that is not there. Write the file with empty functions, and a model fills them in.',
    expect.stringMatching(/^error: .*model/),
    "error: a.cu: there is no such file. Name a kernel's file (.cu, .py), or FILE::KERNEL. a.cu.kernel.json describes it: `kernelwright optimize a.cu.kernel.json --strategy refine` has a model write it.",
  ]);
});

test("a reference that cannot be evaluated is told with its line in the spec", async () => {
  const path = join(place.samples, "vector_add.cu.kernel.json");
  const spec = readFileSync(path, "utf8");
  writeFileSync(path, spec.replace('"references.py::vector_add"', '{ "expressions": { "out": "a + bb" } }'));
  const { output, errors } = await place.run(["check", "vector_add.cu"]);
  expect(output + errors).toContain(
    "vector_add.cu.kernel.json:16:42: reference expression 'a + bb': 'bb' is neither an input",
  );
});
