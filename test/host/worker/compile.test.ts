import { afterAll, expect, test } from "vitest";
import { WorkerHandle } from "../../../server/host/worker/transport/worker-handle";
import { localTransport } from "./worker-under-test";

const worker = new WorkerHandle(localTransport(), "build");
afterAll(() => worker.close());

const scale = `#include "factor.h"
__global__ void scale(float* values, int count) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count) values[index] *= FACTOR;
}
`;

test("CUDA becomes PTX, a cubin and facts; the second time it comes from the cache", async () => {
  const files = {
    "src/scale.cu": `${scale}// ${process.hrtime.bigint()}\n`,
    "src/factor.h": "#define FACTOR 3.0f\n",
  };
  const params = { files, main: "src/scale.cu", architecture: "sm_80", nvcc: "", seconds: 60 };
  const reply = await worker.request("compile-cuda", params, { timeLimitMilliseconds: 90_000 });
  const entries = [
    {
      architecture: "sm_80",
      barriers: 0,
      name: "_Z5scalePfi",
      registers: 8,
      sharedBytes: 0,
      spillLoadBytes: 0,
      spillStoreBytes: 0,
      stackBytes: 0,
    },
  ];
  expect(reply.result).toEqual({ cached: false, compiled: true, diagnostics: [], entries });
  const [ptx, cubin] = reply.frames.map((frame) => Buffer.from(frame));
  expect(ptx?.toString("utf8")).toContain('.file\t1 "src/scale.cu"');
  expect(cubin?.subarray(0, 4).toString("latin1")).toBe("\u007fELF");
  const again = await worker.request("compile-cuda", params, { timeLimitMilliseconds: 90_000 });
  expect(again.result).toEqual({ cached: true, compiled: true, diagnostics: [], entries });
  expect(again.frames).toEqual(reply.frames);
});
