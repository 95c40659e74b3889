import type { PathRules } from "../../../core/base/path-rules";
import { scoreOf } from "../../../core/judge/score";
import type { SourceTree } from "../../../core/judge/candidate";
import type {
  CheckOutcome,
  CheckRequest,
  CommandTask,
  CompileOutcome,
  Evaluation,
} from "../../../core/ports/evaluator";
import { readScore } from "../../../core/workload/command/read-score";
import type { CommandLine } from "../../../core/workload/command/command-spec";
import type { PrivateFolder } from "../../process/private-folder";
import { copyWorkspace, workFolder, writeTree } from "./target-folder";
import { runWalled, type WalledResult, type WallTools } from "./walled-command";

interface CommandEvaluatorOptions extends WallTools {
  readonly workspaceFolder: string;
  /** What is not copied for commands: files that may hold keys, and what the user excludes. */
  readonly hidden: PathRules;
}

/** Lines of a command's last words that are told. */
const toldLines = 30;

/** Evaluates candidates of targets with a command: builds, checks and measures them behind walls. */
export class CommandEvaluator {
  constructor(private readonly options: CommandEvaluatorOptions) {}

  async open(task: CommandTask): Promise<Evaluation> {
    const base = await copyWorkspace(this.options.workspaceFolder, this.options.hidden);
    return new CommandEvaluation(this.options, task, base);
  }
}

/** One built tree: its files, and the folder in which it was built. */
interface BuiltTree {
  readonly tree: SourceTree;
  readonly files: PrivateFolder;
  readonly work: PrivateFolder;
}

/** Each candidate has a folder of its own; the newest is kept, since it is built, then measured. */
class CommandEvaluation implements Evaluation {
  private built: BuiltTree | undefined;

  constructor(
    private readonly tools: WallTools,
    private readonly task: CommandTask,
    private readonly base: PrivateFolder,
  ) {}

  async compile(tree: SourceTree, signal: AbortSignal): Promise<CompileOutcome> {
    await this.drop();
    const built = { tree, files: await writeTree(tree), work: await workFolder() };
    this.built = built;
    const { build, seconds } = this.task.command;
    if (build === undefined) return { kind: "compiled", facts: [], diagnostics: [] };
    const result = await this.run(built, build, signal);
    if (result.kind === "timed-out") return { kind: "timed-out", limitSeconds: seconds };
    if (result.code === 0) return { kind: "compiled", facts: [], diagnostics: [] };
    const [file = ""] = Object.keys(this.task.baseline);
    const place = { severity: "error", file, line: 0, column: 0, source: "build" } as const;
    return { kind: "did-not-compile", diagnostics: [{ ...place, message: lastWords(result, "build") }] };
  }

  code(): Promise<Extract<CheckOutcome, { kind: "did-not-run" }>> {
    return Promise.resolve(didNotRun("a target with a command has no code of kernels"));
  }

  async check({ tree, signal }: CheckRequest): Promise<CheckOutcome> {
    if (this.built?.tree !== tree) {
      const compiled = await this.compile(tree, signal);
      if (compiled.kind === "did-not-compile") return didNotRun("it cannot be built a second time");
      if (compiled.kind === "timed-out") return { ...compiled, stage: "build" };
    }
    const { built } = this;
    if (built === undefined) return didNotRun("it was not built");
    const { check, seconds } = this.task.command;
    if (check !== undefined) {
      const result = await this.run(built, check, signal);
      if (result.kind === "timed-out") return { kind: "timed-out", stage: "check", limitSeconds: seconds };
      if (result.code !== 0) return didNotRun(lastWords(result, "check"));
    }
    return this.measure(built, signal);
  }

  async close(): Promise<void> {
    await this.drop();
    await this.base.remove();
  }

  private async measure(built: BuiltTree, signal: AbortSignal): Promise<CheckOutcome> {
    const { measure, score, runs, seconds, better, unit } = this.task.command;
    const values: number[] = [];
    for (let index = 0; index < runs; index += 1) {
      const result = await this.run(built, measure, signal);
      if (result.kind === "timed-out") return { kind: "timed-out", stage: "measure", limitSeconds: seconds };
      if (result.code !== 0) return didNotRun(lastWords(result, "measure"));
      const read = readScore(result.output, score);
      if (!read.ok) return didNotRun(`the measure command gave no score: ${read.problem}`);
      values.push(read.value);
    }
    return { kind: "scored", score: scoreOf(values, { better, ...(unit === undefined ? {} : { unit }) }) };
  }

  private run({ files, work }: BuiltTree, command: CommandLine, signal: AbortSignal): Promise<WalledResult> {
    const { seconds, readable } = this.task.command;
    const sources = [this.base.path, files.path] as const;
    return runWalled(this.tools, { command, folder: work.path, sources, readable, seconds, signal });
  }

  private async drop(): Promise<void> {
    const { built } = this;
    this.built = undefined;
    await built?.work.remove();
    await built?.files.remove();
  }
}

function didNotRun(reason: string): Extract<CheckOutcome, { kind: "did-not-run" }> {
  return { kind: "did-not-run", reason, findings: [] };
}

function lastWords({ code, output, errors }: Extract<WalledResult, { kind: "ended" }>, what: string): string {
  const said = `${output}\n${errors}`.trim().split("\n").slice(-toldLines).join("\n");
  const hint =
    code === 127
      ? ' (a program was not found: behind the walls only the system\'s folders are seen; name others under "readable")'
      : "";
  return `the ${what} command ended with status ${code}${hint}${said === "" ? "" : `:\n${said}`}`;
}
