import {
  copyFileSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeVerdict } from "../../../server/core/words/describe";
import { defaultTarget } from "../../../server/core/timing/target";
import { composeServices } from "../../../server/host/compose";
import type { CapturedProgram, Services } from "../../../server/host/services/services";
import { projectRoot } from "../../architecture/project";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "kernelwright-capture-")));
const nothing = openSync(devNull, "r+");
let services: Services;

beforeAll(async () => {
  copyFileSync(join(projectRoot, "test/cases/capture/ten-kernels.cu"), join(folder, "ten-kernels.cu"));
  services = await composeServices({
    workspaceFolder: folder,
    sessionsFolder: join(folder, "sessions"),
    environment: process.env,
  });
});
afterAll(async () => {
  await services.dispose();
  rmSync(folder, { recursive: true, force: true });
});

function capture(words: readonly string[], signal = new AbortController().signal): Promise<CapturedProgram> {
  return services.captures.capture({
    file: "ten-kernels.cu",
    arguments: words,
    compileOptions: [],
    target: defaultTarget,
    descriptors: [nothing, nothing, nothing],
    signal,
  });
}

function table({ workloads }: CapturedProgram): readonly string[] {
  return workloads.map(({ kernel, launches, leftOut, found }) => {
    const { inputs, outputs, shapes } = found.spec;
    const names = (tensors: typeof inputs): string =>
      Object.entries(tensors)
        .map(([name, { dtype, shape }]) => `${name} ${dtype}[${shape.join(", ")}]`)
        .join(", ");
    return `${kernel}: ${launches} launches, ${shapes.length} cases, ${leftOut} left out: ${names(inputs)} -> ${names(outputs)}`;
  });
}

test("a program of ten kernels gives ten workloads, and each replays alone, equal bit for bit", async () => {
  const captured = await capture([]);
  expect({ ...captured, workloads: table(captured) }).toEqual({
    code: 0,
    signal: undefined,
    launches: 13,
    problems: [],
    notes: [],
    output: "",
    workloads: [
      "axpy: 4 launches, 1 cases, 1 left out: x float32[n], y float32[n] -> y float32[n]",
      "affine: 1 launches, 1 cases, 0 left out: by_at_8 uint8[4000], values float32[1000] -> values float32[1000]",
      "convolve: 1 launches, 1 cases, 0 left out: in float32[n], out float32[n], taps uint8[20] -> out float32[n]",
      "blockSums<float, 256>: 1 launches, 1 cases, 0 left out: in float32[n], sums float32[8] -> sums float32[8]",
      "transpose: 1 launches, 1 cases, 0 left out: out float32[1000], in float32[1000] -> out float32[1000]",
      "histogram: 1 launches, 1 cases, 0 left out: pixels uint8[n], bins uint32[256] -> bins uint32[256]",
      "move: 1 launches, 1 cases, 0 left out: particles float32[400] -> particles float32[400]",
      "countHits: 1 launches, 1 cases, 0 left out: flags int32[n], hits uint8[4] -> hits uint8[4]",
      "gather: 1 launches, 1 cases, 0 left out: table float64[64], index int32[n] -> out float64[n]",
      "halve: 1 launches, 1 cases, 0 left out: values float16[400] -> values float16[400]",
    ],
  });
  const judged: unknown[] = [];
  for (const { found } of captured.workloads) {
    const { verdict } = await services.judge.check(
      { file: "ten-kernels.cu", kernel: found.spec.kernel },
      { target: defaultTarget, signal: new AbortController().signal },
    );
    const remarks = verdict.kind === "correct" ? verdict.cases.flatMap((each) => each.remarks ?? []) : [];
    judged.push([found.spec.kernel, describeVerdict(verdict).replace(/ on .*/, ""), remarks]);
  }
  expect(judged).toEqual(captured.workloads.map(({ found }) => [found.spec.kernel, "correct", []]));
});

test.each([
  { how: "nothing", code: 0, launches: 0, notes: [] },
  { how: "crash", code: 139, launches: 0, notes: [] },
  { how: "fork", code: 0, launches: 13, notes: [] },
  { how: "input", code: 0, launches: 13, notes: [] },
  {
    how: "huge",
    code: 0,
    launches: 1,
    notes: [
      "halve: its buffers are larger than the 512 MB that are recorded of a program; run it with smaller sizes",
    ],
  },
  {
    how: "table",
    code: 0,
    launches: 1,
    notes: [
      "fillRows: rows holds addresses of other memory of the GPU (a table of pointers, or linked structures), so that its launches cannot be replayed alone. Judge the host function that launches it, as the spec's entry",
    ],
  },
])("a program that misbehaves loses nothing: $how", async ({ how, code, launches, notes }) => {
  const captured = await capture([how]);
  expect({ code: captured.code, launches: captured.launches, notes: captured.notes }).toEqual({
    code,
    launches,
    notes,
  });
});

test("a program that hangs is ended", async () => {
  await expect(capture(["hang"], AbortSignal.timeout(3_000))).rejects.toMatchObject({ code: "cancelled" });
});

test("recordings of equal content lie on the disk once", () => {
  const blobs = join(folder, "sessions/recordings/blobs/sha256");
  const files = readdirSync(blobs, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const bytes = files.reduce((sum, each) => sum + statSync(join(each.parentPath, each.name)).size, 0);
  expect(bytes).toBeLessThan(64 * 1024);
});

test("a program that launches nothing without arguments is run with those of its makefile", async () => {
  writeFileSync(join(folder, "scaled.cu"), needsArguments);
  writeFileSync(join(folder, "Makefile"), "run: scaled\n\t./scaled 320 2\n");
  const { launches, notes, workloads } = await services.captures.capture({
    ...{ file: "scaled.cu", arguments: [], compileOptions: [], target: defaultTarget },
    ...{ descriptors: [nothing, nothing, nothing], signal: new AbortController().signal },
  });
  expect({ launches, notes, given: workloads.map(({ found }) => found.spec.program?.arguments) }).toEqual({
    launches: 2,
    notes: ["scaled.cu launched nothing without arguments: it was run again as Makefile does, with 320 2"],
    given: [["320", "2"]],
  });
});

const needsArguments = `#include <cstdio>
#include <cstdlib>
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 2.0f * x[i] + 1.0f;
}
int main(int argc, char **argv) {
  if (argc < 3) return 1;
  int n = atoi(argv[1]);
  float *x;
  cudaMalloc(&x, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  for (int round = 0; round < atoi(argv[2]); ++round) scale<<<(n + 63) / 64, 64>>>(x, n);
  return cudaDeviceSynchronize();
}
`;
