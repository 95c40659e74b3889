import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { OperationalError } from "../../../server/core/base/operational-error";
import { defaultTarget } from "../../../server/core/timing/target";
import { CompileWatch, type CompileResult } from "../../../server/host/lsp/handlers/language/compile-watch";
import { DocumentStore, type OpenDocument } from "../../../server/host/lsp/documents";
import { loadGrammars } from "../../../server/host/toolchain/grammars";

const grammars = await loadGrammars();

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const facts: CompileResult = {
  facts: [
    {
      kernel: "k",
      architecture: "sm_80",
      registers: 8,
      spillStoreBytes: 0,
      spillLoadBytes: 0,
      stackBytes: 0,
      sharedBytes: 0,
    },
  ],
  diagnostics: [],
};

interface Watched {
  readonly watch: CompileWatch;
  readonly document: OpenDocument;
  readonly log: string[];
}

function watched(answer: () => Promise<CompileResult>): Watched {
  const log: string[] = [];
  const document = new DocumentStore(grammars).add({
    uri: "file:///k.cu",
    languageId: "cuda-cpp",
    version: 1,
    text: "__global__ void k(float* x) { x[0] = 1; }\nvoid go(float* x) { k<<<1, 64>>>(x); }\n",
  });
  const watch = new CompileWatch({
    restMilliseconds: 700,
    target: () => defaultTarget,
    compile: ({ document: compiled, signal }) => {
      log.push(`compile ${compiled.version}`);
      signal.addEventListener("abort", () => log.push(`abort ${compiled.version}`));
      return answer();
    },
    finished: (compiled) => log.push(`finished ${compiled.version}`),
    failed: (problem) => log.push(`failed ${problem.message}`),
  });
  return { watch, document, log };
}

function type(document: OpenDocument, version: number): void {
  document.update(
    [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: " " }],
    version,
  );
}

test("typing is compiled once, when it rests; a newer text cancels what still compiles", async () => {
  const { watch, document, log } = watched(() => new Promise(() => undefined));
  for (let version = 2; version < 6; version += 1) {
    type(document, version);
    watch.request(document, "at rest");
    await vi.advanceTimersByTimeAsync(300);
  }
  expect(log).toEqual([]);
  await vi.advanceTimersByTimeAsync(700);
  expect(log).toEqual(["compile 5"]);
  type(document, 6);
  watch.request(document, "at rest");
  expect(log).toEqual(["compile 5", "abort 6"]);
  watch.dispose();
});

test("facts are bound to the text they were made from", async () => {
  const { watch, document, log } = watched(() => Promise.resolve(facts));
  watch.request(document, "at once");
  await vi.advanceTimersByTimeAsync(1);
  expect(log).toEqual(["compile 1", "finished 1"]);
  expect(watch.factsOf(document)).toMatchObject({ architecture: "sm_80", stale: false });
  expect(watch.factsOf(document)?.launches.get("k")).toEqual({ threadsPerBlock: 64, dynamicSharedBytes: 0 });
  type(document, 2);
  expect(watch.factsOf(document)?.stale).toBe(true);
});

test("a missing compiler is told once", async () => {
  const { watch, document, log } = watched(() =>
    Promise.reject(new OperationalError("tool-missing", { forUser: "nvcc was not found" })),
  );
  for (const version of [1, 2, 3]) {
    type(document, version);
    watch.request(document, "at once");
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(log.filter((line) => line.startsWith("failed"))).toEqual(["failed nvcc was not found"]);
});

test("a check tells of its kernel; what is known of the others of the file stays until its text changes", () => {
  const { watch, document } = watched(() => Promise.resolve(facts));
  const of = (kernel: string, registers: number) =>
    facts.facts.map((each) => ({ ...each, kernel, registers }));
  const known = (): string =>
    (watch.factsOf(document)?.facts ?? []).map((each) => `${each.kernel} ${each.registers}`).join();
  watch.learn(document, of("scale<float>", 8), "sm_80");
  watch.learn(document, of("sum", 16), "sm_80");
  watch.learn(document, of("scale<half>", 12), "sm_80");
  expect(known()).toBe("sum 16,scale<half> 12");
  type(document, 2);
  watch.learn(document, of("sum", 20), "sm_80");
  expect(known()).toBe("sum 20");
});
