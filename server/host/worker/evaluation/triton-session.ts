import type { JsonObject } from "../../../core/base/json";
import { OperationalError } from "../../../core/base/operational-error";
import { mergeCounters, type KernelCounters } from "../../../core/timing/counters";
import type { LaunchProfile } from "../../../core/timing/launch-profile";
import type { ArgumentSpec, DataType, EntrySpec, KernelSpec } from "../../../core/workload/spec";
import type { CompiledFacts, Diagnostic, Finding } from "../../../core/judge/verdict";
import { type Fill, inputFindings, patternOf, poisoned } from "./buffers";
import { readLaunch, gather, readReturned, type CapturedLaunch } from "./captured-launch";
import { itemBytes, sizeOf, type ResolvedTensor } from "./case-shapes";
import { readDiagnostic, replyObject } from "../compile/compiled-module";
import type { Reply, WorkerConnection } from "../transport/connection";
import type { RunOutcome, RunRequest } from "./kernel-runner";
import { listIn, objectIn } from "../transport/read-json";
import { processEnded } from "../compile/triton-load";
import type { LaunchResult } from "../gpu/virtual-gpu";

const threadsPerWarp = 32;

/** What a Triton run needs from outside: how to execute a launch and what ptxas says about its code. */
export interface LaunchExecution {
  execute(launch: CapturedLaunch, request: RunRequest): Promise<LaunchResult>;
  facts(launch: CapturedLaunch, signal: AbortSignal): Promise<CompiledFacts>;
  /** Told what Triton chose on the way (the autotuner's configuration). */
  note(text: string): void;
}

export interface TritonRunOptions {
  readonly connection: WorkerConnection;
  /** What the verdict says of the process itself, in sentences. */
  readonly remarks: readonly string[];
  readonly execution: LaunchExecution;
  readonly spec: KernelSpec;
  readonly entry: EntrySpec;
  /** Workspace path of the kernel's file, for findings without a place. */
  readonly file: string;
  readonly limitSeconds: number;
}

/**
 * One call of the entry in a candidate process. The contents of all buffers are kept on this side: they alone
 * count.
 */
export class TritonRun {
  private readonly memory = new Map<number, Uint8Array>();
  private readonly launched: {
    readonly name: string;
    readonly facts: CompiledFacts;
    readonly profile: LaunchProfile | undefined;
  }[] = [];
  private readonly counters: KernelCounters[] = [];
  private readonly noted = { findings: new Array<Finding>(), remarks: new Set<string>() };
  private readonly hostWritten: Uint8Array[] = [];
  private readonly handed = new Set<number>();
  private ended: RunOutcome | undefined;
  private failure: unknown;
  private readonly tensors: readonly ResolvedTensor[];
  private readonly contents: readonly Uint8Array[];

  constructor(
    private readonly options: TritonRunOptions,
    private readonly request: RunRequest,
  ) {
    for (const remark of options.remarks) this.noted.remarks.add(remark);
    const {
      shape: { inputs, outputs },
      fill = "first",
    } = request;
    const passed = outputs.filter(
      (output) =>
        options.entry.arguments.includes(output.name) && !inputs.some((input) => input.name === output.name),
    );
    this.tensors = [...inputs, ...passed];
    this.contents = [
      ...inputs.map((_, position) => request.inputs[position] ?? new Uint8Array()),
      ...passed.map((output) => poisoned(output, fill)),
    ];
    this.contents.forEach((bytes, number) => this.memory.set(number, bytes));
  }

  async call(): Promise<RunOutcome> {
    const { connection, entry, limitSeconds } = this.options;
    const { fill = "first", inputs } = this.request;
    const params = {
      arguments: entry.arguments.map((argument) => this.argument(argument)),
      patterns: patternsOf(fill),
      tensors: this.tensors.map(({ dtype, shape }, position) => ({
        dtype,
        shape,
        unwritten: position >= inputs.length,
      })),
    };
    try {
      const reply = await connection.request("run", params, {
        frames: this.contents,
        signal: this.request.signal,
        timeLimitMilliseconds: limitSeconds * 1000,
        onCall: (_method, launch, frames) =>
          this.launch(readLaunch(launch, frames)).catch((thrown: unknown) => this.fail(thrown)),
      });
      if (this.failure !== undefined) throw this.failure;
      return this.ended ?? this.finish(replyObject(reply));
    } catch (thrown) {
      return this.ended ?? processEnded(thrown, limitSeconds);
    }
  }

  /** Remembers why a launch failed on our side: the candidate only learns that it did. */
  private fail(thrown: unknown): never {
    if (this.ended === undefined) this.failure ??= thrown;
    throw thrown;
  }

  private argument(argument: ArgumentSpec): JsonObject {
    if (typeof argument === "string")
      return { tensor: this.tensors.findIndex((tensor) => tensor.name === argument) };
    const value = sizeOf(argument.value, this.request.shape.shape.sizes, "an argument");
    return argument.dtype.includes("float") ? { float: value } : { value };
  }

  /**
   * Executes a launch and answers with what it changed. An end that no kernel survives ends the run, whatever
   * the candidate does next.
   */
  private async launch(launch: CapturedLaunch): Promise<Reply> {
    if (this.ended !== undefined)
      throw new OperationalError("worker-protocol", { forUser: "the run has ended" });
    for (const { number, bytes } of launch.buffers) this.noteHost(number, bytes);
    const [result, facts] = await Promise.all([
      this.options.execution.execute(
        {
          ...launch,
          buffers: launch.buffers.map((buffer) => ({
            ...buffer,
            unwritten: buffer.unwritten && this.canBeUnwritten(buffer.number),
          })),
        },
        this.request,
      ),
      this.options.execution.facts(launch, this.request.signal),
    ]);
    if (result.kind !== "done") {
      this.ended =
        result.kind === "refused"
          ? result
          : result.kind === "faulted"
            ? { kind: "did-not-run", reason: result.reason, findings: result.findings }
            : { kind: "timed-out", stage: "run", limitSeconds: result.limitSeconds };
      throw new OperationalError("tool-failed", { forUser: "the launch ended the run" });
    }
    this.noted.findings.push(...result.findings);
    for (const remark of result.remarks ?? []) this.noted.remarks.add(remark);
    if (result.counters !== undefined) this.counters.push(result.counters);
    this.launched.push({
      name: launch.name,
      facts,
      profile: result.counters && profileOf(launch, facts, result.counters),
    });
    const changed = launch.buffers.flatMap(({ number, bytes }, position) => {
      const now = result.buffers[position] ?? bytes;
      this.memory.set(number, now);
      this.handed.add(number);
      return Buffer.compare(bytes, now) === 0 ? [] : [{ position, now }];
    });
    return {
      result: { changed: changed.map(({ position }) => position) },
      frames: changed.map(({ now }) => now),
    };
  }

  /**
   * Whether a buffer is none that a launch has had, no input, and no output that was passed in and has
   * changed.
   */
  private canBeUnwritten(number: number): boolean {
    const [content, now] = [this.contents[number], this.memory.get(number)];
    if (number < this.request.inputs.length || this.handed.has(number)) return false;
    return content === undefined || now === undefined || Buffer.compare(content, now) === 0;
  }

  /** Remembers content that is neither what we last knew of the buffer nor one value repeated. */
  private noteHost(number: number, bytes: Uint8Array): void {
    const known = this.memory.get(number);
    this.memory.set(number, bytes);
    if (known !== undefined && Buffer.compare(known, bytes) === 0) return;
    if (this.contents.some((input) => Buffer.compare(input, bytes) === 0) || isUniform(bytes)) return;
    this.hostWritten.push(bytes);
  }

  private finish(result: JsonObject): RunOutcome {
    if ("raised" in result) {
      const diagnostic = readDiagnostic(objectIn(result["raised"], "raised"));
      if (result["compilation"] === true) return { kind: "did-not-compile", diagnostics: [diagnostic] };
      return {
        kind: "did-not-run",
        reason: `${diagnostic.file}:${diagnostic.line}: ${diagnostic.message}`,
        findings: [findingOf(diagnostic)],
      };
    }
    const { spec } = this.options;
    for (const note of listIn(result, "notes")) this.options.execution.note(String(note));
    if (!this.launched.some((launch) => launch.name === spec.kernel))
      return this.notRun(`the kernel ${spec.kernel} was never launched`);
    const outputs = this.outputs(
      listIn(result, "returned").map((each) => readReturned(objectIn(each, "returned"))),
    );
    if (typeof outputs === "string") return this.notRun(outputs);
    const profiles = this.launched.flatMap((launch) => launch.profile ?? []);
    const inputIndex = new Map(this.request.shape.inputs.map((input, position) => [input.name, position]));
    return {
      kind: "ran",
      outputs,
      remarks: [...this.noted.remarks],
      hostWritten: this.hostWritten,
      launches: profiles,
      facts: distinct(this.launched.map((launch) => launch.facts)),
      findings: [
        ...this.noted.findings,
        ...inputFindings(
          this.request,
          inputIndex,
          this.request.inputs.map((bytes, number) => this.memory.get(number) ?? bytes),
          this.options.file,
        ),
      ],
      counters: this.counters.length === 0 ? undefined : mergeCounters(this.counters),
    };
  }

  /** The outputs as they stand in the virtual GPU's memory, or the sentence that says why there are none. */
  private outputs(returned: ReturnType<typeof readReturned>[]): readonly Uint8Array[] | string {
    const wanted = this.request.shape.outputs;
    if (returned.length > 0 && returned.length !== wanted.length)
      return `the entry returned ${returned.length} tensors, the spec has ${wanted.length} outputs`;
    const found: Uint8Array[] = [];
    for (const [position, output] of wanted.entries()) {
      const itemBytes =
        output.bytes /
        Math.max(
          1,
          output.shape.reduce((product, size) => product * size, 1),
        );
      const number = this.tensors.findIndex((tensor) => tensor.name === output.name);
      const view =
        returned[position] ??
        (number < 0
          ? undefined
          : {
              buffer: number,
              offset: 0,
              dtype: output.dtype,
              shape: output.shape,
              strides: rowMajor(output.shape),
            });
      if (view === undefined)
        return `the entry returned nothing, and the output ${output.name} is no argument that it could have filled`;
      if (view.dtype !== output.dtype)
        return `the output ${output.name} has dtype ${view.dtype}, the spec says ${output.dtype}`;
      if (view.shape.join() !== output.shape.join())
        return `the output ${output.name} has the shape [${view.shape.join(", ")}], the spec says [${output.shape.join(", ")}]`;
      const memory = this.memory.get(view.buffer);
      if (memory === undefined || !this.handed.has(view.buffer))
        return `the output ${output.name} is not memory that a kernel was given: what the host code computes after the last launch does not count`;
      const bytes = gather(memory, view, itemBytes);
      if (bytes === undefined) return `the output ${output.name} reaches beyond its memory`;
      found.push(bytes);
    }
    return found;
  }

  private notRun(reason: string): RunOutcome {
    return { kind: "did-not-run", reason, findings: this.noted.findings };
  }
}

function profileOf(launch: CapturedLaunch, facts: CompiledFacts, counters: KernelCounters): LaunchProfile {
  return {
    counters: counters.totals,
    blocks: launch.grid.reduce((product, size) => product * size, 1),
    threadsPerBlock: launch.warps * threadsPerWarp,
    registersPerThread: facts.registers,
    sharedBytes: facts.sharedBytes,
    footprintBytes: launch.buffers.reduce((sum, buffer) => sum + buffer.bytes.byteLength, 0),
  };
}

/** What memory without contents holds, by the type of its elements, as hex. */
function patternsOf(fill: Fill): JsonObject {
  const types = Object.keys(itemBytes) as readonly DataType[];
  return Object.fromEntries(
    types.map((dtype) => [dtype, Buffer.from(patternOf(dtype, fill)).toString("hex")]),
  );
}

/** One value repeated, of whatever size: what `zeros`, `full` and `empty` give. */
function isUniform(bytes: Uint8Array): boolean {
  return [1, 2, 4, 8].some(
    (unit) => bytes.byteLength % unit === 0 && bytes.every((byte, index) => byte === bytes[index % unit]),
  );
}

function rowMajor(shape: readonly number[]): readonly number[] {
  return shape.map((_, axis) => shape.slice(axis + 1).reduce((product, size) => product * size, 1));
}

function distinct(facts: readonly CompiledFacts[]): readonly CompiledFacts[] {
  return [...new Map(facts.map((each) => [JSON.stringify(each), each])).values()];
}

function findingOf(diagnostic: Diagnostic): Finding {
  return { kind: "exception", file: diagnostic.file, line: diagnostic.line, message: diagnostic.message };
}
