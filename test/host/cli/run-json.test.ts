import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { startCommand } from "../../harness/command-line";
import { lastObject } from "./workplace";

const folder = mkdtempSync(join(tmpdir(), "kernelwright-run-json-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

writeFileSync(
  join(folder, "racing.cu"),
  `#include <cstdio>
__global__ void shift(float *y) {
  __shared__ float tile[64];
  tile[threadIdx.x] = 1;
  y[threadIdx.x] = tile[63 - threadIdx.x];
}
int main() {
  float *y;
  cudaMalloc(&y, 64 * sizeof(float));
  shift<<<1, 64>>>(y);
  cudaDeviceSynchronize();
  printf("{\\"mine\\": 1}\\nno end of line");
  return 7;
}
`,
);
writeFileSync(join(folder, "broken.cu"), "int main() { return nothing; }\n");

const text = (pattern: string): unknown => expect.stringMatching(pattern);

interface Case {
  readonly what: string;
  readonly args: readonly string[];
  readonly code: number;
  /** What stands on standard output before the object. */
  readonly before: string;
  readonly object: Readonly<Record<string, unknown>>;
}

const ran = { outcome: "ran", program: { code: 7, signal: null }, launches: 1, timed: false };

const table: readonly Case[] = [
  {
    what: "a program that ran, whose last line has no end",
    args: ["racing.cu"],
    code: 7,
    before: '{"mine": 1}\nno end of line\n',
    object: { ...ran, exitCode: 7, findings: [], problems: [], profiles: null },
  },
  {
    what: "findings and profiles, which stand in the object and nowhere else",
    args: ["racing.cu", "--sanitize", "--profile"],
    code: 1,
    before: '{"mine": 1}\nno end of line\n',
    object: {
      ...ran,
      exitCode: 1,
      findings: [
        {
          ...{ file: "racing.cu", line: 4, kind: "shared-race", message: text("tile|race") },
          related: [
            { file: "racing.cu", line: 5, what: "other read" },
            { file: "racing.cu", line: 10, what: "launched" },
          ],
        },
      ],
      problems: [],
      profiles: [expect.objectContaining({ kernel: text("shift"), launches: 1 })],
    },
  },
  {
    what: "a program that does not compile",
    args: ["broken.cu"],
    code: 3,
    before: "",
    object: { outcome: "did-not-compile", diagnostics: text('identifier "nothing" is undefined') },
  },
  {
    what: "a program that is not there",
    args: ["missing.cu"],
    code: 3,
    before: "",
    object: {
      outcome: "failed",
      error: { code: "file-not-found", message: text("missing\\.cu"), remedy: null },
    },
  },
];

describe("run --json ends with one object: ", () => {
  test.each(table)("$what", async ({ args, code, before, object }) => {
    const ended = await startCommand(["run", ...args, "--json"], { folder }).ended;
    const lines = ended.output.trimEnd().split("\n");
    expect({
      code: ended.code,
      before: lines
        .slice(0, -1)
        .map((line) => `${line}\n`)
        .join(""),
      object: lastObject(ended),
    }).toEqual({ code, before, object });
  });
});
