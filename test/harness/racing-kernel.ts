import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** One-based lines of the store and of the load that race in `racing.cu`. */
export const racingLines = { store: 4, load: 5 } as const;

const source = `__global__ void shift(const float* x, float* y) {
  __shared__ float tile[128];
  int t = threadIdx.x;
  tile[t] = x[t];
  y[t] = tile[(t + 127) % 128];
}

void launch(const float* x, float* y) { shift<<<1, 128>>>(x, y); }
`;

const spec = {
  version: 1,
  kernel: "racing.cu::shift",
  launch: { arguments: ["x", "y"] },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [{ sizes: { n: 128 } }],
  reference: "baseline",
  objective: "modelled-bound",
};

/** Writes a kernel whose barrier is missing, and its spec, into a folder. */
export function writeRacingKernel(folder: string): void {
  writeFileSync(join(folder, "racing.cu"), source);
  writeFileSync(join(folder, "racing.cu.kernel.json"), JSON.stringify(spec, null, 2));
}
