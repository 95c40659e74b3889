import type { JsonObject } from "../../../core/base/json";
import { OperationalError } from "../../../core/base/operational-error";
import type { EntrySpec, KernelSpec } from "../../../core/workload/spec";
import type { CompiledFacts } from "../../../core/judge/verdict";
import { readDiagnostic, replyObject } from "../compile/compiled-module";
import { type FailedRun, processEnded, raisedRun } from "../compile/triton-load";
import type { LastWriter, LaunchResult } from "../gpu/virtual-gpu";
import type { Reply, WorkerConnection } from "../transport/connection";
import { countIn, listIn, objectIn } from "../transport/read-json";
import { asksForNothing, inputFindings, patternsOf } from "../evaluation/buffers";
import {
  type CapturedLaunch,
  readHostCalls,
  readLaunch,
  readOperation,
  readReturned,
} from "./captured-launch";
import type { LaunchModel, RunOutcome, RunRequest } from "../evaluation/kernel-runner";
import { computedOutputs, entryArguments } from "./entry-arguments";
import { LaunchRecord } from "./launch-record";
import { RunMemory } from "./run-memory";

/** So much of a setting is shown. */
const toldCharacters = 80;

type DoneLaunch = Extract<LaunchResult, { kind: "done" }>;

/** What a Triton run needs from outside: how to execute a launch and what ptxas says about its code. */
export interface LaunchExecution {
  execute(launch: CapturedLaunch, request: RunRequest): Promise<LaunchResult>;
  facts(launch: CapturedLaunch, signal: AbortSignal): Promise<CompiledFacts | FailedRun>;
  /** Simulates a launch that ran, where its run asks for that. */
  models?(launch: CapturedLaunch, result: DoneLaunch, request: RunRequest): Promise<readonly LaunchModel[]>;
  /** Told what Triton chose on the way (the autotuner's configuration). */
  note(text: string): void;
}

interface TritonRunOptions {
  readonly connection: WorkerConnection;
  /** What the verdict says of the process itself, in sentences. */
  readonly remarks: readonly string[];
  readonly execution: LaunchExecution;
  readonly spec: KernelSpec;
  readonly entry: EntrySpec;
  /** Workspace path of the kernel's file, for findings without a place. */
  readonly file: string;
  /** The most seconds, and the most of work, which a busy machine makes longer. */
  readonly limitSeconds: number;
  readonly workSeconds: number;
  /** Seconds of the processor that host code may use outside of compilers; 0: any. */
  readonly processorSeconds: number;
}

/**
 * One call of the entry in a candidate process. The contents of all buffers are kept on this side: they alone
 * count.
 */
export class TritonRun {
  private readonly memory: RunMemory;
  private readonly record = new LaunchRecord();
  /** The end that a launch has put to the run. */
  private ended: RunOutcome | undefined;
  /** Why the code of the last launch cannot be assembled: host code may pass over that, as autotuners do. */
  private unassembled: FailedRun | undefined;
  /** Why a launch failed on our side; the candidate only learns that it did. */
  private failure: unknown;
  /** Seconds of the processor that host code has used outside of compilers, as the process tells. */
  processorSeconds = 0;
  /** Who stored last to the watched byte. */
  private writer: LastWriter | undefined;

  constructor(
    private readonly options: TritonRunOptions,
    private readonly request: RunRequest,
  ) {
    this.memory = new RunMemory(options.entry, request, options.connection);
    this.record.remark(options.remarks);
  }

  /** Where the outputs lay in the candidate's buffers, by their names; known after the run. */
  get places(): RunMemory["places"] {
    return this.memory.places;
  }

  async call(): Promise<RunOutcome> {
    const { connection, entry, limitSeconds, workSeconds, processorSeconds } = this.options;
    const { fill = "first", configuration = 0, tries = false, callerSeed, gradients } = this.request;
    const params = {
      arguments: entryArguments(entry, this.memory, this.request),
      names: this.memory.numbers,
      sizes: {
        ...this.request.shape.shape.sizes,
        ...this.request.shape.shape.values,
      },
      patterns: patternsOf(fill),
      configuration,
      tries,
      ir: this.request.ir === true,
      processorSeconds,
      tensors: this.memory.tensors,
      again: this.request.again === true,
      ...(callerSeed !== undefined && { callerSeed, gradients: gradients === true }),
    };
    try {
      const reply = await connection.request("run", params, {
        frames: this.memory.contents,
        signal: this.request.signal,
        timeLimitMilliseconds: limitSeconds * 1000,
        workLimitMilliseconds: workSeconds * 1000,
        onCall: (_method, launch, frames) =>
          this.launch(readLaunch(launch, frames)).catch((thrown: unknown) => this.fail(thrown)),
      });
      if (this.failure !== undefined) throw this.failure;
      const result = replyObject(reply);
      return this.ended ?? this.toldOfAssembler(result) ?? this.finish(result, reply.frames);
    } catch (thrown) {
      return this.ended ?? processEnded(thrown, workSeconds);
    } finally {
      this.memory.end();
    }
  }

  /** Remembers why a launch failed on our side: the candidate only learns that it did. */
  private fail(thrown: unknown): never {
    if (this.ended === undefined) this.failure ??= thrown;
    throw thrown;
  }

  /**
   * Executes a launch and answers with what it changed. An end that no kernel survives ends the run, whatever
   * the candidate does next.
   */
  private async launch(launch: CapturedLaunch): Promise<Reply> {
    if (this.ended !== undefined)
      throw new OperationalError("worker-protocol", {
        forUser: "the run has ended",
      });
    const { execution } = this.options;
    this.memory.handedOver.addLaunch(launch);
    this.unassembled = undefined;
    const [result, facts] = await Promise.all([
      execution.execute({ ...launch, buffers: this.memory.beforeLaunch(launch.buffers) }, this.request),
      execution.facts(launch, this.request.signal),
    ]);
    if ("kind" in facts && facts.kind === "did-not-compile") {
      this.unassembled = facts;
      return notAssembled(facts);
    }
    if ("kind" in facts) {
      this.ended = facts;
      throw new OperationalError("tool-failed", {
        forUser: "the launch ended the run",
      });
    }
    if (result.kind !== "done") {
      this.ended = endOf(result);
      throw new OperationalError("tool-failed", {
        forUser: "the launch ended the run",
      });
    }
    this.writer = result.writer ?? this.writer;
    const models = (await execution.models?.(launch, result, this.request)) ?? [];
    this.record.add(launch, facts, { ...result, models });
    return this.memory.afterLaunch(launch.buffers, result.buffers);
  }

  /** The end of a run whose last launch cannot be assembled, where its host code did not pass over that. */
  private toldOfAssembler(result: JsonObject): RunOutcome | undefined {
    const isOver = "ended" in result || ("raised" in result && result["compilation"] === true);
    return isOver ? this.unassembled : undefined;
  }

  private finish(result: JsonObject, frames: readonly Uint8Array[]): RunOutcome {
    if ("raised" in result) {
      const diagnostic = readDiagnostic(objectIn(result["raised"], "raised"));
      if (result["compilation"] === true) return { kind: "did-not-compile", diagnostics: [diagnostic] };
      return raisedRun(diagnostic);
    }
    this.processorSeconds = countIn(result, "processorSeconds");
    const notes = listIn(result, "notes").map(String);
    for (const note of notes) this.options.execution.note(note);
    this.record.remark(notes);
    // A candidate may name its kernels as it likes, and launch another for some sizes.
    if (this.record.isEmpty && !asksForNothing(this.request.shape))
      return this.notRun(`the entry ${this.options.entry.call} launched no kernel`);
    const computed = computedOutputs(this.options.entry);
    const isAllComputed = computed === this.request.shape.outputs.length;
    if (this.memory.afterCall(listIn(result, "changed").map(Number), frames, isAllComputed))
      this.record.remark([changedLater]);
    const outputs = this.memory.outputs(
      listIn(result, "returned").map((each) => readReturned(objectIn(each, "returned"))),
      computed,
    );
    if (typeof outputs === "string") return this.notRun(outputs);
    const findings = inputFindings(
      this.request,
      new Map(this.request.shape.inputs.map((input, position) => [input.name, position])),
      this.memory.inputsNow,
      this.options.file,
    );
    const torch = listIn(result, "work").map(readOperation);
    const told = sumOf(torch.map(({ bytes }) => bytes));
    return {
      kind: "ran",
      outputs,
      hostWritten: this.memory.hostWritten,
      handed: this.memory.handedOver.text,
      strides: this.request.shape.outputs.map(({ name }) => this.places.get(name)?.strides),
      torch,
      configurations: countIn(result, "configurations"),
      overwrites: result["overwrites"] === true,
      ...(this.request.callerSeed !== undefined && { behind: readBehind(result) }),
      // Whatever the process says of its work: what it has made and handed to a kernel was written.
      ...(this.writer && { writer: this.writer }),
      movedBytes: Math.max(0, this.memory.writtenBytes - told),
      hostCalls: readHostCalls(result),
      ...this.record.summary(findings),
    };
  }

  private notRun(reason: string): RunOutcome {
    return { kind: "did-not-run", reason, findings: this.record.findings };
  }
}

/** The answer to a launch whose code cannot be assembled. */
function notAssembled({ diagnostics }: Extract<FailedRun, { kind: "did-not-compile" }>): Reply {
  const said = diagnostics.find(({ severity }) => severity === "error")?.message;
  return { result: { changed: [], unassembled: said ?? "the assembler failed" }, frames: [] };
}

const changedLater =
  "host code changes memory that kernels have filled after the last launch: what the kernels left is compared";

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Settings that a call leaves changed, as its process tells them. */
function readBehind(result: JsonObject): Readonly<Record<string, string>> {
  const told = Object.entries(objectIn(result["behind"], "behind"));
  return Object.fromEntries(told.map(([name, value]) => [name, String(value).slice(0, toldCharacters)]));
}

/** What a launch that did not complete makes of the run. */
function endOf(result: Exclude<LaunchResult, { kind: "done" }>): RunOutcome {
  switch (result.kind) {
    case "refused":
      return result;
    case "faulted":
      return {
        kind: "did-not-run",
        reason: result.reason,
        findings: result.findings,
      };
    case "timed-out":
      return {
        kind: "timed-out",
        stage: "run",
        limitSeconds: result.limitSeconds,
      };
  }
}
