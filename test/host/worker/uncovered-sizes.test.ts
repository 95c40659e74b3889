import { expect, test } from "vitest";
import { readSpec } from "../../core/agent/rulebook/real-evaluation";
import { evaluatorOfFile } from "./evaluation-under-test";

const { evaluator } = evaluatorOfFile();

const before = `// count is a multiple of 256
__global__ void brighten(const float* in, float* out, float gain, int count) {
  int i = blockIdx.x * 256 + threadIdx.x;
  out[i] = in[i] * gain;
}
void launch(const float* in, float* out, float gain, int count) {
  brighten<<<count / 256, 256>>>(in, out, gain, count);
}
`;

/** The same, with its factors the other way round. */
const after = before.replace("in[i] * gain", "gain * in[i]");

test("sizes that the kernel's own launch leaves elements out of are held against no version", async () => {
  const signal = new AbortController().signal;
  const spec = readSpec(
    JSON.stringify({
      version: 1,
      objective: "modelled-bound",
      kernel: "pixels.cu::brighten",
      launch: {
        arguments: ["in", "out", { value: 1.5, dtype: "float32" }, { value: "count", dtype: "int32" }],
      },
      inputs: { in: { dtype: "float32", shape: ["count"] } },
      outputs: { out: { dtype: "float32", shape: ["count"] } },
      shapes: [{ sizes: { count: 4096 } }, { sizes: { count: 1024 } }],
      reference: "baseline",
    }),
  );
  const target = { kind: "vgpu", architecture: "sm_80" } as const;
  const evaluation = await evaluator.open(
    { spec, specFolder: "", target, baseline: { "pixels.cu": before } },
    signal,
  );
  try {
    const outcome = await evaluation.check({
      tree: { "pixels.cu": after },
      tier: "full",
      counters: false,
      signal,
    });
    expect(outcome.kind).toBe("checked");
    const cases = outcome.kind === "checked" ? outcome.cases : [];
    expect(cases.filter(({ passed }) => !passed)).toEqual([]);
  } finally {
    await evaluation.close();
  }
});
