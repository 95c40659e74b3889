import { readFileSync, writeFileSync } from "node:fs";
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
        /^candidate 1 is correct on \d+ cases \(full check\), modelled bound .*, where the kernel as it stands is wrong on shape n=10007; candidate 2 is faster than candidate 1: /,
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
        /^candidate 1 is correct on \d+ cases \(full check\), modelled bound .*, where the kernel as it stands faulted: /,
      ) as string,
    },
  },
];

for (const wrong of cases)
  test(
    `${wrong.file}: a wrong kernel is mended by a model, with no gain claimed`,
    { timeout: 300_000 },
    async () => {
      const { report, task } = await mend(wrong);
      expect(report).toMatchObject({
        outcome: "improved",
        ...(wrong.expected as object),
        bound: { before: null },
        counters: { before: null },
      });
      expect(task).toMatch(wrong.told);
    },
  );
