import type { Json, JsonObject } from "../../../core/base/json";
import { OperationalError } from "../../../core/base/operational-error";
import type { KernelSpec } from "../../../core/workload/spec";
import { entry, known } from "../../../core/base/known";
import { toleranceFor } from "../../../core/judge/tolerance";
import type { InputVariant, Mismatch, MismatchCause } from "../../../core/judge/verdict";
import type { EvaluationTask } from "../../../core/ports/evaluator";
import { type ResolvedShape, resolveDistribution } from "./case-shapes";
import type { WorkerEvaluatorOptions } from "./evaluator-options";
import { replyObject } from "../compile/compiled-module";
import type { Reply, WorkerConnection } from "../transport/connection";
import { countIn, flagIn, listIn, numberIn, objectIn, textIn } from "../transport/read-json";
import type { WorkerMethod } from "../transport/protocol";
import type { IdleWorkers } from "../transport/worker-handle";

const requestLimitMilliseconds = 120_000;

/** A case that the oracle holds: its number there and the inputs in the order of the spec. */
export interface OracleCase {
  readonly id: number;
  readonly inputs: readonly Uint8Array[];
}

interface ExpectedOutputs {
  readonly outputs: readonly Uint8Array[];
  readonly rounded?: readonly Uint8Array[];
  readonly least?: JsonObject;
}

export interface OracleJudgement {
  readonly passed: boolean;
  readonly tolerance: { readonly absolute: number; readonly relative: number };
  readonly mismatch?: Mismatch;
}

/**
 * How inputs of a case are changed for another one: put in another order; one value at one place of each that
 * is named, of the other sign where it `turns`; the last bits of all, away from zero, towards it, or each as
 * it happens; with ordinary numbers in place of the infinite ones of an input.
 */
export type Change =
  | { readonly method: "vary" }
  | { readonly method: "nudge"; readonly names: string[]; readonly turns: boolean }
  | { readonly method: "move"; readonly way: "out" | "in" | "any" }
  | { readonly method: "bound"; readonly names: string[] };

/**
 * The oracle of one evaluation: a trusted process that never meets candidate code. It is started when first
 * needed; after it was lost the cases it held are gone, so the check at hand fails and the next one starts it
 * anew.
 */
export class OracleSession {
  /** Nobody but this process knows the inputs before they are used. */
  readonly isSecret: boolean;
  private current: Promise<WorkerConnection> | undefined;
  /** Its process may serve another task: it answered all requests, and none had it load a user's code. */
  private isClean: boolean;

  constructor(
    private readonly processes: IdleWorkers,
    private readonly task: EvaluationTask,
    private readonly from: Pick<WorkerEvaluatorOptions, "recordings" | "seed">,
  ) {
    this.isSecret = from.seed === undefined;
    this.isClean = task.spec.reference.kind !== "callable";
  }

  /**
   * New inputs from secret seeds, or from the one that the user chose. Throws `spec-invalid` when the
   * reference fails on them.
   */
  async make(shape: ResolvedShape, variant: InputVariant, signal: AbortSignal): Promise<OracleCase> {
    const params = { ...describedShape(this.task.spec, shape), variant };
    return readCase(await this.ask("make", params, await this.recorded(shape), signal));
  }

  /**
   * Contents of the inputs that a program handed to the kernel. Throws `spec-invalid` for one that is gone.
   */
  private async recorded({ shape, inputs, drawn = {} }: ResolvedShape): Promise<readonly Uint8Array[]> {
    const contents: Uint8Array[] = [];
    for (const { name } of inputs) {
      const { distribution } = known(this.task.spec.inputs[name], "an input of the spec");
      const isRecorded = typeof distribution === "object" && distribution.kind === "recorded";
      if (!isRecorded || Object.hasOwn(drawn, name)) continue;
      contents.push(await this.from.recordings.load(entry(shape.recorded ?? {}, name), name));
    }
    return contents;
  }

  /** The inputs of a case with a change, as a case of its own. */
  async derive(of: OracleCase, { method, ...how }: Change, signal: AbortSignal): Promise<OracleCase> {
    return readCase(await this.ask(method, { case: of.id, ...how }, [], signal));
  }

  /**
   * Lets how far the expected values of a moved case are from those of the case, or of another one (`from`),
   * count when the case is judged from now on: for a few elements, or for `each`.
   */
  async steady(
    of: OracleCase,
    {
      from = of,
      moved,
      each = false,
    }: { readonly from?: OracleCase; readonly moved: OracleCase; readonly each?: boolean },
    signal: AbortSignal,
  ): Promise<void> {
    await this.ask("steady", { case: of.id, from: from.id, moved: moved.id, each }, [], signal);
  }

  /**
   * Sets the expected values (reference `baseline`); `least`: what the tolerance of floats is at least;
   * `rounded`: what the baseline makes of them where its sums are rounded as it goes.
   */
  async expect(
    of: OracleCase,
    { outputs, least, rounded = [] }: ExpectedOutputs,
    signal: AbortSignal,
  ): Promise<void> {
    await this.ask("expect", { case: of.id, least: least ?? null }, [...outputs, ...rounded], signal);
  }

  async judge(of: OracleCase, outputs: readonly Uint8Array[], signal: AbortSignal): Promise<OracleJudgement> {
    const result = replyObject(await this.ask("judge", { case: of.id }, outputs, signal));
    const tolerance = objectIn(result["tolerance"], "tolerance");
    const judgement = {
      passed: flagIn(result, "passed"),
      tolerance: { absolute: numberIn(tolerance, "absolute"), relative: numberIn(tolerance, "relative") },
    };
    return judgement.passed
      ? judgement
      : { ...judgement, mismatch: readMismatch(objectIn(result["mismatch"], "mismatch")) };
  }

  /** Names of the outputs that compute nothing and would pass all the same. */
  async passingTrivially(
    cases: { readonly case: OracleCase; readonly other: OracleCase; readonly permuted: OracleCase },
    { spec, signal }: { readonly spec: KernelSpec; readonly signal: AbortSignal },
  ): Promise<readonly string[]> {
    const ids = { case: cases.case.id, other: cases.other.id, permuted: cases.permuted.id };
    const params = { ...ids, copies: mayCopy(spec) };
    return listIn(replyObject(await this.ask("trivial", params, [], signal)), "passing").map(String);
  }

  /** Frees a case. An oracle that is gone has forgotten it already. */
  async forget(of: Pick<OracleCase, "id">): Promise<void> {
    await this.ask("forget", { case: of.id }, [], new AbortController().signal).catch(() => undefined);
  }

  async close(): Promise<void> {
    const connection = await this.current?.catch(() => undefined);
    this.current = undefined;
    if (connection === undefined) return;
    if (this.isClean && !connection.lost) await this.processes.give(connection);
    else await connection.close();
  }

  /** Asks the process. Throws what it reports. */
  async ask(
    method: WorkerMethod,
    params: JsonObject,
    frames: readonly Uint8Array[],
    signal: AbortSignal,
  ): Promise<Reply> {
    const connection = await this.connection(signal);
    const answered = connection.request(method, params, {
      frames,
      signal,
      timeLimitMilliseconds: requestLimitMilliseconds,
    });
    // What failed or was cancelled may have left work or memory behind.
    answered.catch(() => (this.isClean = false));
    return answered;
  }

  private async connection(signal: AbortSignal): Promise<WorkerConnection> {
    const attempt = this.current;
    const known = await attempt?.catch(() => undefined);
    if (known !== undefined && !known.lost) return known;
    if (this.current === attempt) this.current = this.open();
    if (signal.aborted) throw new OperationalError("cancelled", { forUser: "the check was cancelled" });
    return this.current ?? this.open();
  }

  private async open(): Promise<WorkerConnection> {
    const connection = await this.processes.take();
    try {
      await connection.request("open", openParams(this.task, this.from.seed), {
        timeLimitMilliseconds: requestLimitMilliseconds,
      });
      return connection;
    } catch (thrown) {
      // Nobody else knows of this process: left alone it would keep ours from ending.
      await connection.close();
      throw thrown;
    }
  }
}

/**
 * What the oracle needs to know of a task. The files are the baseline's: a candidate cannot change the
 * reference.
 */
function openParams({ spec, baseline, specFolder }: EvaluationTask, seed: number | undefined): JsonObject {
  const tensors = (kind: KernelSpec["inputs"]): JsonObject =>
    Object.fromEntries(Object.entries(kind).map(([name, tensor]) => [name, { dtype: tensor.dtype }]));
  const tolerances = Object.fromEntries(
    Object.entries(spec.outputs).map(([name, tensor]) => [
      name,
      { ...toleranceFor(tensor.dtype, spec.tolerance) } satisfies JsonObject,
    ]),
  );
  const { reference } = spec;
  return {
    inputs: tensors(spec.inputs),
    outputs: tensors(spec.outputs),
    tolerances,
    reference: describeReference(reference, specFolder),
    files: reference.kind === "callable" ? { ...baseline } : {},
    ...(seed === undefined ? {} : { seed }),
  };
}

/** A path of the spec (`FILE` or `FILE::NAME`) as a path of the workspace. */
export function inFolder(specFolder: string, path: string): string {
  return specFolder === "" ? path : `${specFolder}/${path}`;
}

/** A shape as the oracle takes it. */
export function describedShape(spec: KernelSpec, shape: ResolvedShape): JsonObject {
  const shapes = Object.fromEntries(
    [...shape.inputs, ...shape.outputs].map((tensor) => [tensor.name, [...tensor.shape]]),
  );
  const distributions = Object.fromEntries(
    Object.entries(spec.inputs).map(([name, { distribution }]) => [
      name,
      resolveDistribution(shape.drawn?.[name] ?? distribution ?? "normal", shape.shape, name),
    ]),
  );
  const { sizes, values } = shape.shape;
  return { sizes: { ...sizes, ...values }, shapes, distributions };
}

/** The case that a reply of the oracle brings. */
export function readCase(reply: Reply): OracleCase {
  return { id: countIn(replyObject(reply), "case"), inputs: reply.frames };
}

function readMismatch(value: JsonObject): Mismatch {
  return {
    output: textIn(value, "output"),
    index: listIn(value, "index").map(Number),
    expected: numberOrName(value["expected"]),
    actual: numberOrName(value["actual"]),
    wrong: countIn(value, "wrong"),
    total: countIn(value, "total"),
    maxAbsoluteError: numberOrName(value["maxAbsoluteError"]),
    ...patternIn(value),
  };
}

const causes: readonly MismatchCause[] = ["tail", "index-overflow", "scale", "precision", "reduction-order"];

/** What the wrong elements have in common, where that is anything. */
function patternIn(value: JsonObject): Pick<Mismatch, "where" | "cause"> {
  const [where, told] = [textIn(value, "where"), textIn(value, "cause")];
  const cause = causes.find((each) => each === told);
  return { ...(where === "" ? {} : { where }), ...(cause && { cause }) };
}

/** A number, or the name of one that JSON lacks: `NaN`, `Infinity`, `-Infinity`. */
function numberOrName(value: Json | undefined): number | string {
  return typeof value === "number" ? value : String(value);
}

/** The reference as the oracle takes it. */
function describeReference(reference: KernelSpec["reference"], specFolder: string): JsonObject {
  switch (reference.kind) {
    case "callable":
      return { kind: "callable", callable: inFolder(specFolder, reference.callable) };
    case "expression":
      return { kind: "expression", expressions: { ...reference.expressions } };
    case "baseline":
      return { kind: "baseline" };
  }
}

/**
 * Whether a kernel that is its own reference may copy: where CUDA launches fill the outputs, copying is the
 * whole work. Python code could hand its input back.
 */
function mayCopy({ run, reference }: KernelSpec): boolean {
  if (reference.kind !== "baseline") return false;
  return run.kind === "launch" || (run.kind === "entry" && !/\.py::/.test(run.entry.call));
}
