import { expect, test } from "vitest";
import type { TextRange } from "../../../server/core/base/text";
import {
  findKernels,
  findLaunchSites,
  findSymbols,
  withSource,
} from "../../../server/core/language/source-file";
import { loadGrammars } from "../../../server/host/toolchain/grammars";
import { expectCase, readCase } from "../../harness/cases";

const grammars = await loadGrammars();

/** Ranges as `line:column-line:column` so that a case is read with ease. */
function shortRanges(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortRanges);
  if (typeof value !== "object" || value === null) return value;
  if ("start" in value && "end" in value) {
    const { start, end } = value as TextRange;
    return `${start.line}:${start.character}-${end.line}:${end.character}`;
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortRanges(inner)]));
}

test.each(["everything.cu", "broken.cu", "everything.py", "broken.py"])("facts of %s", (name) => {
  const found = withSource(grammars, name, readCase(`language/${name}`), (source) => ({
    kernels: findKernels(source),
    launchSites: findLaunchSites(source),
    symbols: findSymbols(source).map((symbol) => `${symbol.kind} ${symbol.name}`),
  }));
  expectCase(`language/${name}.json`, shortRanges(found));
});

test("a file of another kind has no facts", () => {
  expect(withSource(grammars, "README.md", "__global__ void k() {}", findKernels)).toBeUndefined();
});
