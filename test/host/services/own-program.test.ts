import { expect, test } from "vitest";
import { succeed } from "../../../server/core/base/outcome";
import type { FileReader } from "../../../server/core/ports/files";
import type { CaptureService } from "../../../server/host/services/services";
import type { FoundWorkload, WorkloadRequest } from "../../../server/host/services/workload/finders";
import { ownProgram } from "../../../server/host/services/workload/own-program";

const text = "__global__ void add(int n) {}\nint main() { return 0; }\n";
const ended = "the program add.cu ended with 0 after 0 launches, none of them usable for add";

test.each<readonly [string, object, readonly string[]]>([
  [
    "a launch of the text",
    { kind: "launch", launch: { arguments: [] } },
    [`launch.grid: ${ended}: its grid is taken from the text`],
  ],
  ["a launch that probes have found", { kind: "launch", launch: { grid: ["n"], arguments: [] } }, []],
  ["a call of host code", { kind: "entry", entry: { call: "add.cu::run", arguments: [] } }, []],
])("of a program that launches nothing: %s", async (_, run, said) => {
  const captured = { code: 0, launches: 0, workloads: [], notes: [], problems: [], output: "" };
  const captures = { capture: () => Promise.resolve(captured) } as unknown as CaptureService;
  const files = { read: () => Promise.resolve(undefined), list: () => Promise.resolve([]) };
  const found = { spec: { run }, unknowns: [] } as unknown as FoundWorkload;
  const finder = ownProgram(captures, files as unknown as FileReader, {
    looksFor: "a launch",
    find: () => Promise.resolve(succeed(found)),
  });
  const request = {
    ...{ file: "add.cu", text, kernel: "add", target: { architecture: "sm_80" } },
    signal: new AbortController().signal,
  } as unknown as WorkloadRequest;
  const outcome = await finder.find(request);
  const unknowns = outcome.ok ? outcome.value.unknowns : [];
  expect(unknowns.map(({ path, sentence }) => `${path}: ${sentence}`.slice(0, said[0]?.length))).toEqual(
    said,
  );
});
