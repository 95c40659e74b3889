import { expect, test } from "vitest";
import { createNameSearch } from "../../../server/host/services/sources/name-search";
import { memoryFiles, memorySearch } from "../../harness/memory-files";

const sources = {
  "kernels/scale.cu": "__global__ void scale();",
  "host/launch.cc": "scale<<<1, 32>>>();",
  "host/other.cc": "rescale(); scale_by();",
  "tests/scale.py": "scale[(1,)](x)",
};
const names = createNameSearch(memoryFiles(sources), memorySearch(sources));

test.each([
  ["cuda", ["host/launch.cc", "kernels/scale.cu"]],
  ["triton", ["tests/scale.py"]],
] as const)("a name is sought in the files of %s, host code included", async (dialect, expected) => {
  expect((await names.mentioning("scale", dialect)).map(({ path }) => path)).toEqual(expected);
});
