import { join } from "node:path";
import { afterAll } from "vitest";
import { noRecordings } from "../../harness/no-recordings";
import type { SourceTree } from "../../../server/core/judge/candidate";
import type { KernelSpec } from "../../../server/core/workload/spec";
import type { Target } from "../../../server/core/timing/target";
import { lineIn, type LineRange, machineRows, ptxRows, tritonRows } from "../../../server/core/listing";
import type { CheckOutcome, CodeOutcome, CompileOutcome } from "../../../server/core/ports/evaluator";
import { createLaunchShapes } from "../../../server/host/services/launch-shapes";
import { loadGrammars } from "../../../server/host/toolchain/grammars";
import { WorkerEvaluator } from "../../../server/host/worker/evaluation/evaluator";
import type { WorkerEvaluatorOptions } from "../../../server/host/worker/evaluation/evaluator-options";
import { WalledEntryPrograms } from "../../../server/host/program/entry/entry-programs";
import { DeviceThreads } from "../../../server/host/program/run/device-threads";
import { findNvcc } from "../../../server/host/toolchain/find-nvcc";
import { cacheFolder } from "../../../server/host/toolchain/find-python";
import { bundledDeviceThread, virtualGpu } from "./vgpu-under-test";
import { deviceSources } from "../../harness/device-sources";
import { python, workerFolder } from "./worker-under-test";

const localTarget: Target = { kind: "vgpu", architecture: "sm_80" };

export interface EvaluatorUnderTest {
  readonly evaluator: WorkerEvaluator;
  close(): Promise<void>;
}

/** One for all tests of a process, as the product has one. */
const deviceThreads = new DeviceThreads(bundledDeviceThread());

/** Likewise: a new thread's code is optimized anew. */
const gpuThreads = virtualGpu();

/** What runs the host code of CUDA entries, as the product composes it. */
export function entryPrograms(): WalledEntryPrograms {
  return new WalledEntryPrograms({
    findNvcc: (signal) => findNvcc({ setting: "", environment: process.env, python, workerFolder, signal }),
    threads: deviceThreads,
    runtimeSources: join(__dirname, "../../../server/runtime"),
    cache: cacheFolder(process.env),
    python,
    workerFolder,
  });
}

let usual: EvaluatorUnderTest | undefined;

/**
 * The evaluator of a test file. A file that wants nothing of its own has that of the process, which ends with
 * it: its workers are started once.
 */
export function evaluatorOfFile(options: Partial<WorkerEvaluatorOptions> = {}): EvaluatorUnderTest {
  if (Object.keys(options).length === 0) return (usual ??= startEvaluator());
  const under = startEvaluator(options);
  afterAll(() => under.close());
  return under;
}

/** The evaluator as the product composes it. */
export function startEvaluator(options: Partial<WorkerEvaluatorOptions> = {}): EvaluatorUnderTest {
  const evaluator = new WorkerEvaluator({
    python,
    nvcc: "",
    workerFolder,
    withoutWalls: false,
    virtualGpu: gpuThreads,
    launchShapes: createLaunchShapes(loadGrammars),
    deviceSources,
    recordings: noRecordings,
    entryPrograms: entryPrograms(),
    ...options,
  });
  return { evaluator, close: () => evaluator.close() };
}

export interface EvaluationCase {
  readonly spec: KernelSpec;
  readonly baseline: SourceTree;
  /** The baseline itself when left out. */
  readonly candidate?: SourceTree;
  readonly target?: Target;
  readonly tier?: "quick" | "full";
  readonly allFaults?: boolean;
  readonly verdictAlone?: boolean;
  readonly signal?: AbortSignal;
  /** Leaves the compile call out: the check compiles by itself. */
  readonly checkOnly?: boolean;
  /** Source lines whose PTX, machine code and Triton IR are asked for too. */
  readonly listed?: LineRange;
}

/** Opens the task, compiles and checks one candidate, closes. */
export async function evaluate(
  evaluator: WorkerEvaluator,
  given: EvaluationCase,
): Promise<{
  readonly compiled: CompileOutcome;
  readonly checked: CheckOutcome;
  readonly listings: readonly (readonly string[])[];
  /** For how long a GPU was held; undefined where the target has none. */
  readonly held: number | undefined;
}> {
  const signal = given.signal ?? new AbortController().signal;
  const tree = given.candidate ?? given.baseline;
  const evaluation = await evaluator.open(
    { spec: given.spec, specFolder: "", target: given.target ?? localTarget, baseline: given.baseline },
    signal,
  );
  try {
    const compiled: CompileOutcome =
      given.checkOnly === true
        ? { kind: "compiled", facts: [], diagnostics: [] }
        : await evaluation.compile(tree, signal);
    const judged = {
      compiled,
      listings: given.listed ? listingsOf(await evaluation.code(tree, signal), given.listed) : [],
      checked: await evaluation.check({
        ...{ tree, tier: given.tier ?? "quick", counters: true, signal },
        ...(given.allFaults && { allFaults: true }),
        ...(given.verdictAlone && { verdictAlone: true }),
      }),
    };
    return { ...judged, held: evaluation.gpuMicroseconds?.() };
  } finally {
    await evaluation.close();
  }
}

/** PTX, machine code and, for Triton, its IR, as far as they come from the lines. */
function listingsOf(code: CodeOutcome, lines: LineRange): readonly (readonly string[])[] {
  if (code.kind !== "compiled") throw new Error(`the code was expected, not ${code.kind}`);
  return code.kernels.flatMap(({ symbol, ptx, cubin, stages }) => {
    const machine = machineRows(cubin, symbol);
    if (!machine.ok) throw new Error(machine.problem.message);
    const forms = [ptxRows(ptx, symbol), machine.value, ...(stages?.ttgir ? [tritonRows(stages.ttgir)] : [])];
    return forms.map((rows) => rows.filter((row) => lineIn(row, lines)).map(({ text }) => text));
  });
}

/** What a person would want to read of an outcome, without values that differ from run to run. */
export function summary(outcome: CheckOutcome): unknown {
  if (outcome.kind !== "checked") return outcome;
  return outcome.cases.map((each) => ({
    sizes: each.shape.sizes,
    passed: each.passed,
    ...(each.findings.length === 0
      ? {}
      : { findings: each.findings.map(({ kind, line, message }) => ({ kind, line, message })) }),
    ...(each.mismatch === undefined
      ? {}
      : {
          mismatch: {
            output: each.mismatch.output,
            index: each.mismatch.index,
            wrong: each.mismatch.wrong,
            total: each.mismatch.total,
          },
        }),
  }));
}
