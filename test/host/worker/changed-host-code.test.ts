import { expect, test } from "vitest";
import { changesHostCode } from "../../../server/host/worker/compile/host-code";
import { deviceSources } from "../../harness/device-sources";

const kernel = "__global__ void k(float* x) { x[0] = 1.0f; }\n";
const launcher = "void run(float* x) { k<<<1, 1>>>(x); }\n";
const device = "#pragma once\n__device__ __forceinline__ float one() { return 1.0f; }\n";
const included = `#include "one.cuh"\n__global__ void k(float* x) { x[0] = one(); }\n`;

test.each([
  ["a kernel's own line", { "k.cu": `${kernel.replace("1.0f", "2.0f")}${launcher}` }, false],
  ["its launch", { "k.cu": `${kernel}${launcher.replace("<<<1", "<<<2")}` }, true],
  ["a new header of device code", { "k.cu": `${included}${launcher}`, "one.cuh": device }, false],
  [
    "a new header of host code",
    { "k.cu": `${included}${launcher}`, "one.cuh": `${device}${launcher}` },
    true,
  ],
])("%s is or is not a change of host code", async (_, tree, expected) => {
  expect(await changesHostCode({ "k.cu": kernel + launcher }, tree, deviceSources)).toBe(expected);
});
