import { expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile } from "./evaluation-under-test";

/** Candidates whose code is another one on newer GPUs than the target, sm_80. */

const under = evaluatorOfFile();

const spec: KernelSpec = {
  file: "twice.cu",
  kernel: "twice",
  dialect: "cuda",
  run: { kind: "launch", launch: { arguments: ["x", "y", { value: "n", dtype: "int32" }] } },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [{ sizes: { n: 100 } }],
  reference: { kind: "expression", expressions: { y: "2 * x" } },
  objective: "modelled-bound",
};

const kernelWith = (first: string, value = "2 * x[i]"): string => `
__global__ void twice(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
${first}
  if (i < n) y[i] = ${value};
}
void launch_twice(const float* x, float* y, int n) { twice<<<(n + 63) / 64, 64>>>(x, y, n); }
`;
const half = "#if __CUDA_ARCH__ > 800\n  n /= 2;\n#endif";
const asIt = "it asks for the architecture (__CUDA_ARCH__), as the kernel as it was does not";
const wrongOn = (architecture: string): string =>
  `compiled for ${architecture} its results are wrong, though they are right for sm_80: ${asIt}, which is right on both`;

interface ArchitectureCase {
  readonly what: string;
  readonly candidate: string;
  readonly baseline?: string;
  readonly findings?: readonly string[];
  readonly remarks?: readonly string[];
}

const cases: readonly ArchitectureCase[] = [
  { what: "half on all newer ones", candidate: kernelWith(half), findings: [wrongOn("sm_86")] },
  {
    what: "half from one on, by a macro",
    candidate: `#define NEW (__CUDA_ARCH__ >= 1000)\n${kernelWith("#if NEW\n  n /= 2;\n#endif")}`,
    findings: [wrongOn("sm_100")],
  },
  { what: "half, as it was", candidate: `${kernelWith(half)}// again\n`, baseline: kernelWith(half) },
  {
    what: "another way to the same on newer ones",
    candidate: kernelWith(
      "#if __CUDA_ARCH__ >= 900\n  if (i < n) y[i] = x[i] + x[i];\n  return;\n#endif",
      "x[i] * 2.0f",
    ),
  },
  {
    what: "nothing below what it needs",
    candidate: kernelWith("#if __CUDA_ARCH__ < 800\n  return;\n#endif", "x[i] + x[i]"),
  },
  {
    what: "nothing where another kernel is meant",
    candidate: kernelWith("#if __CUDA_ARCH__ >= 900\n  return;\n#endif", "x[i] + x[i]"),
    remarks: ["sm_90", "sm_100"].map((newer) => `${asIt}: compiled for ${newer} it writes nothing`),
  },
];

test.each(cases)("$what", async ({ candidate, baseline = kernelWith(""), findings = [], remarks = [] }) => {
  const { checked } = await evaluate(under.evaluator, {
    spec,
    baseline: { "twice.cu": baseline },
    candidate: { "twice.cu": candidate },
    tier: "full",
  });
  if (checked.kind !== "checked") throw new Error(JSON.stringify(checked));
  const told = checked.cases.flatMap((each) =>
    each.findings.filter(({ kind }) => kind === "other-architecture"),
  );
  expect(told.map(({ message }) => message)).toEqual(findings);
  expect(checked.cases.every(({ passed }) => passed)).toBe(findings.length === 0);
  expect(checked.cases.flatMap((each) => each.remarks ?? [])).toEqual(remarks);
});
