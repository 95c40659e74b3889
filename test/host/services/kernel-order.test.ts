import { expect, it } from "vitest";
import { withSource } from "../../../server/core/language/source-file";
import { loopsFirst } from "../../../server/host/services/workload/kernel-order";
import { loadGrammars } from "../../../server/host/toolchain/grammars";

const kernels = ["seed", "step", "inner", "total"]
  .map((name) => `__global__ void ${name}(float* x) { x[threadIdx.x] += 1; }\n`)
  .join("");
const jit = ["seed", "step", "inner", "total"]
  .map((name) => `@triton.jit\ndef ${name}(x):\n    pass\n\n`)
  .join("");

it.each([
  {
    what: "a loop over time",
    file: "run.cu",
    text: `${kernels}void run(float* x) { seed<<<1, 32>>>(x); for (int t = 0; t < 9; ++t) step<<<1, 32>>>(x); total<<<1, 32>>>(x); }`,
    order: "step seed inner total",
  },
  {
    what: "a loop in a loop",
    file: "run.cu",
    text: `${kernels}void run(float* x, int n) { while (n--) { step<<<1, 32>>>(x); do inner<<<1, 32>>>(x); while (n % 3); } }`,
    order: "inner step seed total",
  },
  {
    what: "no loop (in their order)",
    file: "run.cu",
    text: `${kernels}void run(float* x) { total<<<1, 32>>>(x); seed<<<1, 32>>>(x); }`,
    order: "seed step inner total",
  },
  {
    what: "a loop of Python",
    file: "run.py",
    text: `${jit}def run(x):\n    seed[(1,)](x)\n    for t in range(9):\n        total[(1,)](x)\n`,
    order: "total seed step inner",
  },
])("kernels that are launched in $what come first", async ({ file, text, order }) => {
  const names = ["seed", "step", "inner", "total"];
  const found = withSource(await loadGrammars(), file, text, (source) => loopsFirst(source, names));
  expect(found?.join(" ")).toBe(order);
});
