import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import { type SourceTree, treeKey } from "../../../core/judge/candidate";
import type { EntryPrograms } from "../../../core/ports/entry-programs";
import type { EntrySpec } from "../../../core/workload/spec";
import { addedReaders } from "../compile/include-rule";
import { entryFromTop, harness, harnessFile, supportFile } from "../entry/harness";
import type { FailedRun } from "../evaluation/failed-run";
import type { RunRequest } from "../evaluation/kernel-runner";
import type { Recording, TimedCode, TimedProgram } from "./gpu-runtime";
import {
  failedRun,
  type HardwareSession,
  type HardwareSessions,
  notCompiled,
  type SessionOptions,
} from "./hardware-sessions";
import { encodeOrder, type Pool, type TimedOrder } from "./timed/timed-messages";
import { entryCall, type ShapedCall } from "./timed/timed-order";
import type { TimedOutcome, TimedProcess } from "./timed/timed-process";

interface EntrySessionOptions extends SessionOptions {
  readonly entry: EntrySpec;
  readonly programs: EntryPrograms;
}

/** A baseline and candidates that are compared with it. */
const mostPrograms = 4;

/** Functions of the host that launch kernels: a harness around them is compiled with their file. */
export class EntrySessions implements HardwareSessions {
  readonly remarks: readonly string[] = [
    "The times come from the process that the entry's host code runs in; host code that changes what events say is not ruled out.",
  ];

  private readonly programs = new Map<string, Promise<TimedCode>>();

  constructor(private readonly options: EntrySessionOptions) {}

  prepare(trees: readonly SourceTree[], signal: AbortSignal): void {
    // Whoever starts a session is told what is wrong.
    for (const tree of trees) this.program(tree, signal).catch(() => undefined);
  }

  async start(tree: SourceTree, signal: AbortSignal): Promise<Outcome<HardwareSession, FailedRun>> {
    const program = await this.program(tree, signal);
    if (program.kind !== "compiled") return fail(notCompiled(program));
    const process = await this.options.runtime.start(program);
    return succeed(new EntrySession({ ...this.options, program, process }));
  }

  close(): Promise<void> {
    this.programs.clear();
    return Promise.resolve();
  }

  /** Compiled once for the check at hand. */
  private program(tree: SourceTree, signal: AbortSignal): Promise<TimedCode> {
    const key = treeKey({ ...this.options.task.baseline, ...tree });
    const known = this.programs.get(key);
    if (known !== undefined) return known;
    for (const oldest of [...this.programs.keys()].slice(0, 1 - mostPrograms)) this.programs.delete(oldest);
    const compiling = this.compile(tree, signal);
    this.programs.set(key, compiling);
    // What was cancelled is compiled anew.
    compiling.catch(() => this.programs.delete(key));
    return compiling;
  }

  private async compile(tree: SourceTree, signal: AbortSignal): Promise<TimedCode> {
    const { task, entry, programs, runtime } = this.options;
    const files = { ...task.baseline, ...tree };
    const text = harness({ spec: task.spec, entry: entryFromTop(task.specFolder, entry), files });
    if (!text.ok) return { kind: "did-not-compile", diagnostics: [] };
    const own = {
      [harnessFile]: `#define KERNELWRIGHT_TIMED 1\n${text.value}`,
      [supportFile]: await programs.support(),
      ...(await programs.timedSupport()).headers,
    };
    const origin = addedReaders(task.baseline, tree).length === 0 ? "user" : "candidate";
    const build = task.build ? { build: task.build } : {};
    return runtime.compile({ files: { ...files, ...own }, main: harnessFile, origin, ...build }, signal);
  }
}

interface BegunEntry extends EntrySessionOptions {
  readonly program: TimedProgram;
  readonly process: TimedProcess;
}

class EntrySession implements HardwareSession {
  private entered: Promise<TimedOutcome> | undefined;

  constructor(private readonly begun: BegunEntry) {}

  enter(signal: AbortSignal): void {
    this.entered = this.pools([], signal);
    this.entered.catch(() => undefined);
  }

  async call(request: RunRequest): Promise<Outcome<ShapedCall, FailedRun>> {
    const { entry, limitSeconds } = this.begun;
    const entered = await this.entered;
    if (entered !== undefined && entered.kind !== "returned") return fail(failedRun(entered, limitSeconds));
    return succeed(entryCall(request, entry));
  }

  run(order: TimedOrder, signal: AbortSignal): Promise<TimedOutcome> {
    return this.begun.process.run(order, { limitSeconds: this.begun.limitSeconds, signal });
  }

  pools(pools: readonly Pool[], signal: AbortSignal): Promise<TimedOutcome> {
    return this.begun.process.pools(pools, { limitSeconds: this.begun.limitSeconds, signal });
  }

  give(order: TimedOrder, call: number, signal: AbortSignal): Promise<TimedOutcome> {
    return this.begun.process.give(order, call, { limitSeconds: this.begun.limitSeconds, signal });
  }

  recording(order: TimedOrder): Recording {
    return { program: this.begun.program, input: encodeOrder(order) };
  }

  close(): Promise<void> {
    return this.begun.process.close();
  }
}
