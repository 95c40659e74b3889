import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { KernelSpec } from "../../../../server/core/workload/spec";
import { type CounterName, type KernelCounters, sumCounters } from "../../../../server/core/timing/counters";
import { parseKernelSpec } from "../../../../server/core/workload/spec-parse";
import type { EvaluationTask } from "../../../../server/core/ports/evaluator";

const samples = join(__dirname, "../../../../samples");

export function readSpec(text: string): KernelSpec {
  const spec = parseKernelSpec(text);
  if (!spec.ok) throw new Error(JSON.stringify(spec.problem));
  return spec.value;
}

/** The task of a sample, with its folder as the workspace. */
export function sampleTask(file: string): EvaluationTask {
  const read = (name: string): string => readFileSync(join(samples, name), "utf8");
  const baseline = { [file]: read(file), "references.py": read("references.py") };
  return {
    spec: readSpec(read(`${file}.kernel.json`)),
    specFolder: "",
    target: { kind: "vgpu", architecture: "sm_80" },
    baseline,
  };
}

/** Sum of a counter over the lines of a source that match. */
export function countedOn(
  source: string,
  lines: RegExp,
  { file, counters, counter }: { file: string; counters: KernelCounters; counter: CounterName },
): number {
  const matching = new Set(source.split("\n").flatMap((text, row) => (lines.test(text) ? [row + 1] : [])));
  return sumCounters(counters.lines.filter((entry) => entry.file === file && matching.has(entry.line)))[
    counter
  ];
}
