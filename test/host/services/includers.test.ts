import { expect, test } from "vitest";
import { includersOf } from "../../../server/host/services/sources/includers";
import { memoryFiles } from "../../harness/memory-files";

interface Case {
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
  readonly found: readonly string[];
}

const cases: readonly Case[] = [
  { what: "nobody", files: { "main.cu": "#include <cstdio>\n" }, found: [] },
  {
    what: "sources from near to far, the own folder and the include folders among them",
    files: {
      "far/away/run.cu": '#include "../../src/k.cu"\n',
      "src/main.cu": '#include <cstdint>\n#include "k.cu"\n',
      "test/run.cpp": "#include <k.cu>\n",
    },
    found: ["src/main.cu", "test/run.cpp", "far/away/run.cu"],
  },
  {
    what: "a source that draws in a header which draws it in",
    files: {
      "src/all.h": '#include "k.cu"\n',
      "src/main.cu": '#include "all.h"\n',
    },
    found: ["src/main.cu"],
  },
  {
    what: "files that include each other, and no source",
    files: { "src/a.h": '#include "b.h"\n#include "k.cu"\n', "src/b.h": '#include "a.h"\n' },
    found: [],
  },
  {
    what: "another file of that name",
    files: { "lib/main.cu": '#include "k.cu"\n', "lib/k.cu": "" },
    found: [],
  },
];

test.each(cases)("a file is drawn in by $what", async ({ files, found }) => {
  expect(await includersOf(memoryFiles({ "src/k.cu": "", ...files }), "src/k.cu")).toEqual(found);
});
