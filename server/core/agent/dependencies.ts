import type { SourceTree } from "../judge/candidate";
import type { Diagnostic } from "../judge/verdict";
import type { Clock } from "../ports/clock";
import type { CommandTask, Evaluation, EvaluationTask } from "../ports/evaluator";
import type { Identity } from "../ports/identity";
import type { SessionLog } from "../ports/run-store";
import { formatTarget } from "../timing/target";
import type { KernelSpec } from "../workload/spec";
import { PathRules } from "../base/path-rules";
import { namedFiles } from "../workload/command/named-files";
import { mayBecomeFile } from "../workload/command/new-file";
import type { BudgetLimits } from "../trajectory/events";

/**
 * Syntax errors of one text; empty when it parses, and for a language without a grammar. With the text
 * `before` it also known tricks that were not there: an error stops a candidate, a warning asks for a review.
 */
export type SyntaxCheck = (path: string, text: string, before?: string) => readonly Diagnostic[];

/** The task of a session. It never changes, not even when the session resumes. */
export interface LoopTask {
  readonly evaluation: EvaluationTask | CommandTask;
  /** Workspace-relative POSIX path of the kernel's file: a key of the baseline tree. */
  readonly file: string;
  /** Id of the snapshot of the baseline that `session.started` names. */
  readonly baselineTree: string;
  readonly budget: BudgetLimits;
  /** What may be changed besides the kernel's file, by path or pattern; left out where the spec says. */
  readonly mayTouch?: readonly string[];
  /** The version that the session goes on from; left out where that is the baseline. */
  readonly from?: TakenUp;
}

/** A candidate of another session, with its changes on this session's baseline. */
interface TakenUp {
  readonly tree: SourceTree;
  /** Id of its snapshot. */
  readonly treeId: string;
  readonly hypothesis: string;
}

/**
 * The ports of the loop. `log` is open and holds `session.started` (or `session.resumed`); the loop writes
 * all that follows and the end.
 */
export interface LoopDependencies {
  readonly evaluator: {
    open(task: EvaluationTask | CommandTask, signal: AbortSignal): Promise<Evaluation>;
  };
  readonly log: SessionLog;
  readonly clock: Clock;
  readonly identity: Pick<Identity, "sha256">;
  readonly syntaxCheck: SyntaxCheck;
  /** Trials that may run at once; one when left out. */
  readonly atOnce?: number;
}

export function isCommandTask(task: EvaluationTask | CommandTask): task is CommandTask {
  return "command" in task;
}

/** What a strategy is told of this kind of task alone. */
export function factsOf(
  task: EvaluationTask | CommandTask,
): { readonly spec: KernelSpec; readonly target: string } | { readonly task: CommandTask } {
  if (isCommandTask(task)) return { task };
  const shapes = task.spec.shapes.filter((shape) => shape.heldOut !== true);
  return { spec: { ...task.spec, shapes }, target: formatTarget(task.target) };
}

/** What the session is about: a kernel's name, or a command's. */
export function subjectOf(task: EvaluationTask | CommandTask): string {
  return isCommandTask(task) ? task.name : task.spec.kernel;
}

/**
 * Workspace-relative paths that candidates may change: the kernel's file and what the user or else the spec
 * names or its patterns found, or what the globs of a command found.
 */
function editablePaths(task: Pick<LoopTask, "evaluation" | "file" | "mayTouch">): readonly string[] {
  if (isCommandTask(task.evaluation)) return Object.keys(task.evaluation.baseline).toSorted();
  const { files, patterns } = namedBeside(task.evaluation, task.mayTouch);
  const globs = new PathRules(patterns);
  const matching = Object.keys(task.evaluation.baseline).filter((path) => globs.hides(path));
  return [...new Set([task.file, ...files, ...matching.toSorted()])];
}

/** What may change besides the kernel's file: as the user says, else as the spec does. */
function namedBeside(
  { spec, specFolder }: EvaluationTask,
  mayTouch: LoopTask["mayTouch"],
): ReturnType<typeof namedFiles> {
  return mayTouch === undefined ? namedFiles(spec.editable ?? [], specFolder) : namedFiles(mayTouch);
}

/** What candidates may do to files. */
export interface Reach {
  /** Workspace-relative paths that they may change. */
  readonly editable: readonly string[];
  /** Patterns of paths at which they may make new files. */
  readonly creatable: readonly string[];
}

/** The reach of a task: new files may stand where the globs of a command or spec would have found them. */
export function reachOf(task: Pick<LoopTask, "evaluation" | "file" | "mayTouch">): Reach {
  const { evaluation, mayTouch } = task;
  const creatable = isCommandTask(evaluation)
    ? evaluation.command.editable
    : namedBeside(evaluation, mayTouch).patterns;
  return { editable: editablePaths(task), creatable };
}

/** Why a path may not be changed or made; undefined where it may. `tree`: the files beside it. */
export function faultOfPath(
  path: string,
  tree: SourceTree,
  { editable, creatable }: Reach,
): string | undefined {
  if (editable.includes(path)) return undefined;
  const also = creatable.length === 0 ? "" : `; new files may match ${creatable.join(", ")}`;
  const allowed = `these may: ${editable.join(", ")}${also}`;
  if (creatable.length === 0) return `${path} may not be changed; ${allowed}`;
  const others = Object.keys(tree).filter((each) => each !== path);
  const made = mayBecomeFile(path, creatable, others);
  return made.ok ? undefined : `${path} may not be changed or made (${made.problem}); ${allowed}`;
}

/** sha256 over paths and texts; equal for equal trees whatever the order of their paths. */
export function treeDigest(tree: SourceTree, identity: Pick<Identity, "sha256">): string {
  const entries = Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1));
  return identity.sha256(JSON.stringify(entries));
}
