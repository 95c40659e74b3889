import { noRecordings } from "../../../harness/no-recordings";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { KernelSpec } from "../../../../server/core/workload/spec";
import { type CounterName, type KernelCounters, sumCounters } from "../../../../server/core/timing/counters";
import { parseKernelSpec } from "../../../../server/core/workload/spec-parse";
import type { EvaluationTask } from "../../../../server/core/ports/evaluator";
import { createLaunchShapes } from "../../../../server/host/services/launch-shapes";
import { loadGrammars } from "../../../../server/host/toolchain/grammars";
import { WorkerEvaluator } from "../../../../server/host/worker/evaluation/evaluator";
import { entryPrograms } from "../../../host/worker/evaluation-under-test";
import { deviceSources } from "../../../harness/device-sources";
import { virtualGpu } from "../../../host/worker/vgpu-under-test";
import { python, workerFolder } from "../../../host/worker/worker-under-test";

const samples = join(__dirname, "../../../../samples");

/** The evaluator as the product has it: worker processes, real compilers, the virtual GPU in its thread. */
export function realEvaluator(): {
  readonly evaluator: WorkerEvaluator;
  readonly close: () => Promise<void>;
} {
  const gpu = virtualGpu();
  const evaluator = new WorkerEvaluator({
    python,
    nvcc: "",
    workerFolder,
    withoutWalls: false,
    virtualGpu: gpu,
    launchShapes: createLaunchShapes(loadGrammars),
    deviceSources,
    recordings: noRecordings,
    entryPrograms: entryPrograms(),
  });
  return {
    evaluator,
    close: async () => {
      await evaluator.close();
      await gpu.close();
    },
  };
}

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
