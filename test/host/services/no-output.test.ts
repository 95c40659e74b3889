import { expect, test } from "vitest";
import { noOutput } from "../../../server/host/services/workload/probing/variants/explore-writing";

test.each<readonly [source: string, isPrinting: boolean]>([
  ['__global__ void tell(int n) { printf("%d of %d\\n", threadIdx.x, n); }', true],
  ["__global__ void tell(int n) { /* printf(n) */ }  // printf(n)", false],
  ["__global__ void tell(float* x) { x = nullptr; }", false],
])("what is told of a kernel without output: %j", (source, isPrinting) => {
  const told = noOutput("tell", source);
  expect(told).toMatch(/^tell wrote through none of its parameters/);
  expect(told.includes("prints is not compared")).toBe(isPrinting);
});
