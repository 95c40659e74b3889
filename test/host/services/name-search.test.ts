import { expect, test } from "vitest";
import { createNameSearch } from "../../../server/host/services/sources/name-search";
import { memoryFiles } from "../../harness/memory-files";

test("a name is found in every file of a large project, in the order of the files", async () => {
  const numbers = Array.from({ length: 10_000 }, (_, index) => String(index).padStart(5, "0"));
  const files = memoryFiles(
    Object.fromEntries(
      numbers.map((number, index) => [
        `src/unit${number}.cu`,
        index % 2500 === 2499 ? "__global__ void k();" : "int my__global__;",
      ]),
    ),
  );
  const found = await createNameSearch(files).mentioning("__global__", "cuda");
  expect(found.map(({ path }) => path)).toEqual([
    "src/unit02499.cu",
    "src/unit04999.cu",
    "src/unit07499.cu",
    "src/unit09999.cu",
  ]);
});
