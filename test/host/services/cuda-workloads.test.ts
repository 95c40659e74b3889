import { expect, test } from "vitest";
import type { FileReader } from "../../../server/core/ports/files";
import type { BuildSettings } from "../../../server/core/workload/build-settings";
import type { CapturedLaunch } from "../../../server/core/workload/capture/captured";
import {
  type CudaWorkloadOptions,
  cudaWorkloads,
  withoutTriton,
} from "../../../server/host/services/capture/cuda-workloads";
import type { CaptureRequest } from "../../../server/host/services/services";
import { loadGrammars } from "../../../server/host/toolchain/grammars";

const floats = (...values: readonly number[]): Uint8Array => new Uint8Array(new Float32Array(values).buffer);

function launch(kernel: string, triton: boolean): CapturedLaunch {
  const plain = { untouched: false, addresses: 0, stored: false };
  return {
    ...{
      kernel,
      triton,
      grid: [1, 1, 1],
      block: [32, 1, 1],
      dynamicSharedBytes: 0,
      variables: [],
      where: "",
    },
    ...{ parameters: new Uint8Array(16), count: 3, warpInstructions: 10 },
    layout: [0, 8].map((offset) => ({ offset, size: 8 })),
    pointers: [0, 1].map((buffer) => ({ at: 8 * buffer, buffer, offset: 0 })),
    buffers: [
      { ...plain, before: floats(1, 2), after: undefined },
      { ...plain, before: floats(0, 0), after: floats(2, 4) },
    ],
  };
}

test("a Python program shows the CUDA kernels of the extensions that it loads", async () => {
  const texts: Readonly<Record<string, string>> = {
    "bench.py": "import torch",
    "csrc/twice.cu":
      "__global__ void twice(const float* x, float* y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }",
  };
  const options = {
    grammars: loadGrammars,
    files: {
      read: (path: string) => Promise.resolve(texts[path]),
      list: () => Promise.resolve(["csrc/twice.cu"]),
    } as unknown as FileReader,
    recordings: { keep: () => Promise.resolve() },
    identity: { sha256: () => "0" },
  } as unknown as CudaWorkloadOptions;
  const request = { file: "bench.py", arguments: [], compileOptions: [] } as unknown as CaptureRequest;
  const launches = [
    launch("_Z5twicePKfPf", false),
    launch("tl_kernel", true),
    launch("_Z5otherPKfPf", false),
  ];
  const { workloads, notes } = await cudaWorkloads(options, request, {
    build: { includeFolders: [] } as unknown as BuildSettings,
    capture: withoutTriton({ launches, leftOut: {}, skipped: 0 }),
    mostBytes: 1,
  });
  const shown = workloads.map(({ file, launches: count, found }) => ({
    ...{ file, count, program: found.spec.program, outputs: Object.keys(found.spec.outputs) },
  }));
  expect({ shown, notes }).toEqual({
    shown: [{ file: "csrc/twice.cu", count: 3, program: undefined, outputs: ["y"] }],
    notes: ["other: its source is in no file of this folder, so it has no workload"],
  });
});
