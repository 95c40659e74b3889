import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import type { SourceTree } from "../../../core/judge/candidate";
import type { EntryPrograms } from "../../../core/ports/entry-programs";
import type { EntrySpec } from "../../../core/workload/spec";
import { addedReaders } from "../compile/include-rule";
import { entryFromTop, harness, harnessFile, supportFile } from "../entry/harness";
import type { FailedRun } from "../evaluation/failed-run";
import type { TimedCode } from "./gpu-runtime";
import {
  type HardwareSession,
  type HardwareSessions,
  notCompiled,
  type SessionOptions,
} from "./hardware-sessions";
import { timedFile } from "./nvidia-runtime";
import { encodeOrder } from "./timed/timed-messages";
import { entryCall } from "./timed/timed-order";

/** Functions of the host that launch kernels: a harness around them is compiled with their file. */
export class EntrySessions implements HardwareSessions {
  readonly remarks: readonly string[] = [
    "The times come from the process that the entry's host code runs in; host code that changes what events say is not ruled out.",
  ];

  constructor(
    private readonly options: SessionOptions & {
      readonly entry: EntrySpec;
      readonly programs: EntryPrograms;
    },
  ) {}

  async start(tree: SourceTree, signal: AbortSignal): Promise<Outcome<HardwareSession, FailedRun>> {
    const { runtime, entry, limitSeconds } = this.options;
    const program = await this.compile(tree, signal);
    if (program.kind !== "compiled") return fail(notCompiled(program));
    const process = await runtime.start(program);
    return succeed({
      call: (request) => Promise.resolve(succeed(entryCall(request, entry.arguments))),
      run: (order, stop) => process.run(order, { limitSeconds, signal: stop }),
      recording: (order) => ({ program, input: encodeOrder(order) }),
      close: () => process.close(),
    });
  }

  private async compile(tree: SourceTree, signal: AbortSignal): Promise<TimedCode> {
    const { task, entry, programs, runtime } = this.options;
    const files = { ...task.baseline, ...tree };
    const text = harness({ spec: task.spec, entry: entryFromTop(task.specFolder, entry), files });
    if (!text.ok) return { kind: "did-not-compile", diagnostics: [] };
    const { timed } = await programs.timedSupport();
    const own = {
      [harnessFile]: `#define KERNELWRIGHT_TIMED 1\n${text.value}`,
      [supportFile]: await programs.support(),
      [timedFile]: timed,
    };
    const origin = addedReaders(task.baseline, tree).length === 0 ? "user" : "candidate";
    const build = task.build ? { build: task.build } : {};
    return runtime.compile({ files: { ...files, ...own }, main: harnessFile, origin, ...build }, signal);
  }
}
