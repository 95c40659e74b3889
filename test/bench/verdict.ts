import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SourceTree } from "../../server/core/judge/candidate";
import type { EvaluationTask } from "../../server/core/ports/evaluator";
import { parseKernelSpec } from "../../server/core/workload/spec-parse";
import { composeEntryPrograms } from "../../server/host/compose-programs";
import { createLaunchShapes } from "../../server/host/services/launch-shapes";
import { createDeviceSources } from "../../server/host/services/sources/device-sources";
import { findPython } from "../../server/host/toolchain/find-python";
import { loadGrammars } from "../../server/host/toolchain/grammars";
import { WorkerEvaluator } from "../../server/host/worker/evaluation/evaluator";
import { VirtualGpuPool } from "../../server/host/worker/gpu/virtual-gpu-pool";
import { findProgram } from "../../server/setup/support/find-program.mjs";
import { inRepository } from "../../server/setup/support/layout.mjs";
import { run } from "../../server/setup/support/processes.mjs";
import { noRecordings } from "../harness/no-recordings";
import { type Bench, type Measurement, quantile, rounded } from "./bench";

const file = "transpose.cu";
const runs = 7;
/** Edits of people and models come seconds apart; what prepares for the next one has that time. */
const pauseMilliseconds = 2000;

/** An edit of a source that no cache has seen. */
type Edit = (text: string, number: number) => string;
const editedKernel: Edit = (text, number) =>
  text.replace(
    "if (row + step < columns",
    `if (row + step + ${number} * 0 < columns + ${number} - ${number}`,
  );
const editedLauncher: Edit = (text, number) =>
  text.replace("dim3 block(kTile", `dim3 block(kTile + ${number} - ${number}`);

/** From a changed source to its verdict of the quick tier, in a process that has judged the kernel before. */
export const verdictBench: Bench = {
  name: "verdict",
  run: async () => {
    const gpu = new VirtualGpuPool(inRepository("dist", "vgpu-thread.js"));
    const { python } = findPython("", process.env);
    const evaluator = new WorkerEvaluator({
      python,
      nvcc: "",
      workerFolder: inRepository("server", "worker"),
      withoutWalls: false,
      virtualGpu: gpu,
      launchShapes: createLaunchShapes(loadGrammars),
      deviceSources: createDeviceSources(
        loadGrammars,
        () => Promise.resolve(""),
        () => Promise.resolve({}),
        () => Promise.resolve(undefined),
      ),
      recordings: noRecordings,
      entryPrograms: composeEntryPrograms({ nvcc: "", python, environment: process.env }),
    });
    try {
      const kernel = await measured(evaluator, task("launch"), editedKernel);
      const entry = await measured(evaluator, task("entry"), editedKernel);
      const launcher = await measured(evaluator, task("entry"), editedLauncher);
      return [
        ...rows("changed kernel, launched by the spec", kernel, 0.4),
        ...rows("changed kernel behind an entry", entry, 0.4),
        ...rows("changed launcher", launcher, 3),
        await fromNothing(python, quantile(launcher.map(wholeOf), 0.5)),
      ];
    } finally {
      await evaluator.close();
      await gpu.close();
    }
  },
};

/** Seconds of one verdict. */
interface Taken {
  readonly compile: number;
  readonly check: number;
}

function wholeOf({ compile, check }: Taken): number {
  return compile + check;
}

function rows(what: string, taken: readonly Taken[], goal: number): readonly Measurement[] {
  const value = quantile(taken.map(wholeOf), 0.5);
  const compile = quantile(
    taken.map((each) => each.compile),
    0.5,
  );
  return [
    {
      metric: `${what}: verdict, warm, median of ${runs}`,
      value: rounded(value),
      unit: "s",
      versus: `the goal of ${goal} s`,
      ratio: rounded(value / goal),
    },
    {
      metric: `${what}: until it is compiled, median`,
      value: rounded(compile),
      unit: "s",
      versus: "the verdict",
      ratio: rounded(compile / value),
    },
  ];
}

/** The same kernel where each evaluation begins anew: a process imports torch and builds an extension. */
async function fromNothing(python: string, warm: number): Promise<Measurement> {
  const declaration = "void launch_transpose(const float* input, float* output, int rows, int columns)";
  const source = join(inRepository("samples"), file);
  const script = inRepository("test", "bench", "peers", "extension.py");
  const started = performance.now();
  await run(python, [script, source, findProgram("nvcc") ?? "nvcc", declaration, "launch_transpose"]);
  const seconds = (performance.now() - started) / 1000;
  return {
    metric: "a fresh process that imports torch and builds an extension, nothing launched, once",
    value: rounded(seconds),
    unit: "s",
    versus: "the verdict on a changed launcher (goal: 10)",
    ratio: rounded(seconds / warm),
  };
}

function task(kind: "launch" | "entry"): EvaluationTask {
  const read = (name: string): string => readFileSync(join(inRepository("samples"), name), "utf8");
  const spec = parseKernelSpec(read(`${file}.kernel.json`));
  if (!spec.ok) throw new Error("the sample's spec cannot be read");
  const { value } = spec;
  if (value.run.kind !== "launch") throw new Error("the sample's spec has a launch");
  const call = `${file}::launch_transpose`;
  const entry = { kind: "entry" as const, entry: { call, arguments: value.run.launch.arguments } };
  return {
    spec: kind === "launch" ? value : { ...value, run: entry },
    specFolder: "",
    target: { kind: "vgpu", architecture: "sm_80" },
    baseline: { [file]: read(file), "references.py": read("references.py") },
  };
}

/** Seconds of each verdict, after those of the kernel as it was and of a first change. */
async function measured(evaluator: WorkerEvaluator, given: EvaluationTask, edit: Edit): Promise<Taken[]> {
  const { signal } = new AbortController();
  const evaluation = await evaluator.open(given, signal);
  const text = given.baseline[file] ?? "";
  const judge = async (tree: SourceTree): Promise<Taken> => {
    const started = performance.now();
    await evaluation.compile(tree, signal);
    const compiled = performance.now();
    const outcome = await evaluation.check({ tree, tier: "quick", counters: true, signal });
    if (outcome.kind !== "checked" || outcome.cases.some(({ passed }) => !passed))
      throw new Error(`the bench's kernel was judged ${JSON.stringify(outcome)}`);
    return { compile: (compiled - started) / 1000, check: (performance.now() - compiled) / 1000 };
  };
  try {
    await judge(given.baseline);
    const first = Date.now() % 1_000_000;
    const times: Taken[] = [];
    for (let run = 0; run <= runs; run += 1) {
      await sleep(pauseMilliseconds);
      times.push(await judge({ ...given.baseline, [file]: edit(text, first + run) }));
    }
    return times.slice(1);
  } finally {
    await evaluation.close();
  }
}
