import { afterAll, expect, test } from "vitest";
import { WorkerHandle } from "../../../server/host/worker/worker-handle";
import { localTransport } from "./worker-under-test";

const worker = new WorkerHandle(localTransport(), "build");
afterAll(() => worker.close());

const scale = `#include "factor.h"
__global__ void scale(float* values, int count) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count) values[index] *= FACTOR;
}
`;

test("compiles", async () => {
  const reply = await worker.request("compile-cuda", { files: { "src/scale.cu": scale, "src/factor.h": "#define FACTOR 3.0f\n" }, main: "src/scale.cu", architecture: "sm_80", nvcc: "", seconds: 60 }, { timeLimitMilliseconds: 70_000 });
  expect(reply.result).toMatchInlineSnapshot(`
    {
      "cached": false,
      "compiled": true,
      "diagnostics": [],
      "entries": [
        {
          "architecture": "sm_80",
          "barriers": 0,
          "name": "_Z5scalePfi",
          "registers": 8,
          "sharedBytes": 0,
          "spillLoadBytes": 0,
          "spillStoreBytes": 0,
          "stackBytes": 0,
        },
      ],
    }
  `);
  expect(Buffer.from(reply.frames[0] ?? []).toString()).toContain('"src/scale.cu"');
});
