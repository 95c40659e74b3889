import { invariant } from "../../../core/base/assert";
import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import { readableName } from "../../../core/base/symbols/symbol-name";
import type { SourceTree } from "../../../core/judge/candidate";
import type { ArgumentSpec } from "../../../core/workload/spec";
import type { CudaRunner } from "../evaluation/cuda-runner";
import type { FailedRun } from "../evaluation/failed-run";
import type { RunRequest } from "../evaluation/kernel-runner";
import {
  failedRun,
  type HardwareSession,
  type HardwareSessions,
  notCompiled,
  type SessionOptions,
} from "./hardware-sessions";
import type { Recording, TimedProgram } from "./gpu-runtime";
import { encodeCode, encodeOrder, type Pool, type TimedOrder } from "./timed/timed-messages";
import { SpareProcesses } from "./timed/spare-processes";
import { launchCall, type ShapedCall } from "./timed/timed-order";
import type { TimedOutcome, TimedProcess } from "./timed/timed-process";

/** Kernels that are launched alone: the process holds none of the candidate's host code. */
export class LaunchSessions implements HardwareSessions {
  readonly remarks: readonly string[] = [];
  private readonly spares: SpareProcesses;

  constructor(private readonly options: SessionOptions & { readonly runner: CudaRunner }) {
    const { runtime } = options;
    this.spares = new SpareProcesses(async () => {
      const program = await runtime.launcher(new AbortController().signal);
      invariant(program.kind === "compiled", "a process is asked for when its program is there");
      return runtime.start(program);
    });
  }

  prepare(trees: readonly SourceTree[], signal: AbortSignal): void {
    const warm = async (): Promise<void> => {
      const program = await this.options.runtime.launcher(signal);
      if (program.kind === "compiled") this.spares.warm(trees.length);
    };
    // Whoever starts a session is told what is wrong.
    warm().catch(() => undefined);
  }

  async start(tree: SourceTree, signal: AbortSignal): Promise<Outcome<HardwareSession, FailedRun>> {
    const program = await this.options.runtime.launcher(signal);
    if (program.kind !== "compiled") return fail(notCompiled(program));
    return succeed(new LaunchSession(tree, { program, process: await this.spares.take() }, this.options));
  }

  close(): Promise<void> {
    return this.spares.close();
  }
}

class LaunchSession implements HardwareSession {
  private entered: Promise<TimedOutcome> | undefined;
  private loaded: { readonly symbol: string; readonly image: Uint8Array } | undefined;

  constructor(
    private readonly tree: SourceTree,
    private readonly started: { readonly program: TimedProgram; readonly process: TimedProcess },
    private readonly options: SessionOptions & { readonly runner: CudaRunner },
  ) {}

  enter(signal: AbortSignal): void {
    this.entered = this.pools([], signal);
    this.entered.catch(() => undefined);
  }

  async call(request: RunRequest): Promise<Outcome<ShapedCall, FailedRun>> {
    const entered = await this.entered;
    if (entered !== undefined && entered.kind !== "returned")
      return fail(failedRun(entered, this.options.limitSeconds));
    const { runner, runtime, task, limitSeconds } = this.options;
    const { run } = task.spec;
    const planned = await runner.plan(this.tree, request);
    if (planned.kind !== "planned") return fail(planned);
    const { compiled, entry, shape } = planned;
    if (run.kind === "launch" && run.launch.arguments.some(isTable))
      return fail({
        kind: "refused",
        reason: "a table of addresses in the memory of the GPU is not passed there",
      });
    const variables = run.kind === "launch" ? (run.launch.symbols ?? []) : [];
    const symbol = [entry.symbol, ...variables.map((name) => variableSymbol(compiled.ptx, name))].join("\n");
    if (this.loaded?.symbol !== symbol) {
      const limits = { limitSeconds, signal: request.signal };
      const image = runtime.image(compiled);
      const reply = await this.started.process.load(symbol, image, limits);
      if (reply.kind !== "returned") return fail(failedRun(reply, limitSeconds));
      this.loaded = { symbol, image };
    }
    const given = run.kind === "launch" ? run.launch.arguments : [];
    return succeed(launchCall(request, { ...shape, arguments: given, variables }));
  }

  run(order: TimedOrder, signal: AbortSignal): Promise<TimedOutcome> {
    return this.started.process.run(order, { limitSeconds: this.options.limitSeconds, signal });
  }

  pools(pools: readonly Pool[], signal: AbortSignal): Promise<TimedOutcome> {
    return this.started.process.pools(pools, { limitSeconds: this.options.limitSeconds, signal });
  }

  give(order: TimedOrder, call: number, signal: AbortSignal): Promise<TimedOutcome> {
    return this.started.process.give(order, call, { limitSeconds: this.options.limitSeconds, signal });
  }

  recording(order: TimedOrder): Recording {
    const code = this.loaded && encodeCode(this.loaded.symbol, this.loaded.image);
    return { program: this.started.program, input: [...(code ?? []), ...encodeOrder(order)] };
  }

  close(): Promise<void> {
    return this.started.process.close();
  }
}

/** The symbol of a module's variable by its name in the source; that name where there is none. */
function variableSymbol(ptx: string, name: string): string {
  const declared = ptx.matchAll(/^[ \t]*(?:\.\w+ )*\.(?:const|global) (?:\.\w+ (?:\d+ )?)*([\w$]+)/gm);
  const symbols = [...declared].map(([, symbol = ""]) => symbol);
  return symbols.find((symbol) => symbol === name || readableName(symbol).name === name) ?? name;
}

/** Whether an argument is the address of an array of structures. */
function isTable(argument: ArgumentSpec): boolean {
  return typeof argument !== "string" && "fields" in argument && argument.count !== undefined;
}
