import { expect, test } from "vitest";
import type { FileReader } from "../../../server/core/ports/files";
import type { CaptureService } from "../../../server/host/services/services";
import type { WorkloadRequest } from "../../../server/host/services/workload/finders";
import { loadingScript, pythonProgram } from "../../../server/host/services/workload/python/program";

const load = 'from torch.utils.cpp_extension import load\next = load(name="x", sources=["csrc/flash.cu"])\n';

test.each<
  readonly [string, { readonly texts: Readonly<Record<string, string>>; readonly work?: number }, object]
>([
  [
    "a script that loads it, the nearest first",
    { texts: { "far/away/run.py": load, "bench.py": load } },
    { ran: ["bench.py"], found: true },
  ],
  [
    "a build that only names it",
    { texts: { "setup.py": load.replaceAll("load", "CUDAExtension"), "notes.py": 'print("flash.cu")' } },
    { ran: [], found: "no script or test of the workspace launches it" },
  ],
  [
    "a script with launches of much work",
    { texts: { "bench.py": load }, work: 3e9 },
    {
      ran: ["bench.py"],
      found: expect.stringContaining("the program bench.py launches it with so much work (3,000 million"),
    },
  ],
])("a kernel of an extension is shown by %s", async (_, { texts, work = 1000 }, expected) => {
  const ran: string[] = [];
  const captures = {
    capture: ({ file }: { readonly file: string }) => {
      ran.push(file);
      const found = { spec: { kernel: "attend" }, specFolder: "csrc" };
      const workloads = [{ file: "csrc/flash.cu", found, warpInstructions: work }];
      return Promise.resolve({ code: 0, launches: 1, workloads, notes: [], problems: [], output: "" });
    },
  } as unknown as CaptureService;
  const files = {
    read: (path: string) => Promise.resolve(texts[path]),
    list: () => Promise.resolve(Object.keys(texts)),
  } as unknown as FileReader;
  const outcome = await loadingScript(pythonProgram(files, captures)).find({
    ...{ file: "csrc/flash.cu", text: "__global__ void attend(float* o) {}", kernel: "attend" },
    ...{ target: { architecture: "sm_80" }, signal: new AbortController().signal },
  } as unknown as WorkloadRequest);
  expect({ ran, found: outcome.ok ? true : outcome.problem }).toEqual(expected);
});
