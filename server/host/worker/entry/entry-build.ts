import { OperationalError } from "../../../core/base/operational-error";
import type { SourceTree } from "../../../core/judge/candidate";
import type { Diagnostic } from "../../../core/judge/verdict";
import type { CompileOutcome, EvaluationTask } from "../../../core/ports/evaluator";
import type {
  EntryProgram,
  EntryPrograms,
  SourceLines,
  WholeProgram,
} from "../../../core/ports/entry-programs";
import type { EntrySpec, KernelSpec } from "../../../core/workload/spec";
import type { CompiledModule } from "../compile/compiled-module";
import type { CudaCompiler } from "../compile/cuda-compiler";
import { addedReaders } from "../compile/include-rule";
import { inFolder } from "../evaluation/oracle-session";
import { requiredWalls } from "../transport/walls";
import { callFile, entryFromTop, harness, harnessFile, supportFile } from "./harness";
import type { HostCode, HostCompiler, HostSource } from "./host-compiler";
import { namedAs } from "./module-names";

/** What of a task the build of an entry depends on. */
interface EntryTask extends Pick<EvaluationTask, "specFolder" | "target" | "baseline" | "build"> {
  readonly spec: Pick<KernelSpec, "file" | "inputs" | "outputs">;
}

export interface EntryBuildOptions {
  readonly task: EntryTask;
  readonly entry: EntrySpec;
  readonly compiler: CudaCompiler;
  readonly host: HostCompiler;
  readonly programs: EntryPrograms;
}

/** Both sides of a candidate, ready to run. */
export interface Built {
  readonly kind: "built";
  readonly device: Extract<CompiledModule, { kind: "compiled" }>;
  readonly host: Extract<HostCode, { kind: "compiled" }>;
  /** Where the lines that the host code was compiled from stand in the sources. */
  readonly lines: SourceLines;
}
interface BuiltStart extends Pick<EntryBuildOptions, "programs"> {
  readonly task: Pick<EntryTask, "target">;
  /** The user agreed to do without walls. */
  readonly withoutWalls: boolean;
}

/** Starts what was built as a process behind walls. `whole`: it is a program of its own, not one function. */
export async function startBuilt(
  start: BuiltStart,
  built: Built,
  whole?: WholeProgram,
): Promise<EntryProgram> {
  const program = await startProgram(start, built.host.program, whole);
  loadBuilt(program, built);
  return program;
}

/** Starts an executable behind walls; its launches wait for their code. */
export function startProgram(
  { task, programs, withoutWalls }: BuiltStart,
  program: Uint8Array,
  whole?: WholeProgram,
): Promise<EntryProgram> {
  return programs.start({
    program,
    architecture: task.target.architecture,
    requiredWalls: withoutWalls ? [] : requiredWalls,
    ...(whole && { whole }),
  });
}

/** Gives a process the code of its device. */
export function loadBuilt(program: EntryProgram, { device, lines }: Built): void {
  program.load({ ptx: device.ptx, cubin: device.cubin }, lines);
}

export type NotBuilt = Extract<CompileOutcome, { kind: "did-not-compile" | "timed-out" }>;

/** Makes a harness around the entry of a candidate and compiles it. */
export class EntryBuild {
  private readonly file: string;
  /** Its files are relative to the top of the tree. */
  readonly entry: EntrySpec;

  constructor(private readonly options: EntryBuildOptions) {
    const { task, entry } = options;
    this.file = inFolder(task.specFolder, task.spec.file);
    this.entry = entryFromTop(task.specFolder, entry);
  }

  /** Device code and host code at the same time. `onHost` is told when the latter is there. */
  async build(tree: SourceTree, signal: AbortSignal, onHost?: OnHost): Promise<Built | NotBuilt> {
    const { task, programs } = this.options;
    const files = { ...task.baseline, ...tree };
    const text = harness({ spec: task.spec, entry: this.entry, files });
    if (!text.ok) throw new OperationalError("spec-invalid", { forUser: `kernel spec: ${text.problem}` });
    const own = { [harnessFile]: text.value, [supportFile]: await programs.support() };
    const built = await buildBothSides({ ...this.options, onHost }, { tree, own }, signal);
    if (built.kind !== "built") return this.explained(built);
    return { ...built, device: { ...built.device, diagnostics: this.shown(built.device.diagnostics) } };
  }

  private explained(outcome: NotBuilt): NotBuilt {
    if (outcome.kind === "timed-out") return outcome;
    return { kind: "did-not-compile", diagnostics: this.shown(outcome.diagnostics) };
  }

  /** Messages about the harness are about the spec's entry. */
  private shown(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
    return diagnostics.flatMap((each) => {
      if (each.file !== callFile && each.file !== harnessFile) return [each];
      if (each.severity !== "error") return [];
      const said = each.message.replace(/ detected during instantiation of .*/, "");
      const message = `the entry ${this.entry.call} cannot be called with the arguments of the spec: ${said}`;
      return [{ ...each, file: this.file, line: 0, column: 0, message }];
    });
  }
}

/** Is given an executable as soon as it is linked. */
type OnHost = (program: Uint8Array) => void;

type Compiling = Pick<EntryBuildOptions, "task" | "compiler" | "host"> & {
  readonly onHost?: OnHost | undefined;
};

/**
 * Device code and host code of a candidate, compiled at the same time. `own`: what is ours among the sources,
 * the harness first of all. Host code around plain pointers needs nothing of PyTorch but streams and checks:
 * our stand-in has these, and compiles at once.
 */
export async function buildBothSides(
  compiling: Compiling,
  { tree, own }: { readonly tree: SourceTree; readonly own: SourceTree },
  signal: AbortSignal,
): Promise<Built | NotBuilt> {
  const { task } = compiling;
  const added = addedReaders(task.baseline, tree);
  const origin = added.length === 0 ? ("user" as const) : ("candidate" as const);
  const files = { ...task.baseline, ...tree, ...own };
  const { architecture } = task.target;
  const build = task.build ? { build: task.build } : {};
  const source = { files, main: harnessFile, origin, architecture, ...build };
  const standIn = await compiling.compiler.torchStandIn(files);
  const plain = standIn && (await bothSides(compiling, { ...source, files: standIn }, signal));
  return plain?.kind === "built" ? plain : bothSides(compiling, source, signal);
}

async function bothSides(
  { task, compiler, host, onHost }: Compiling,
  source: HostSource,
  signal: AbortSignal,
): Promise<Built | NotBuilt> {
  const [device, { program, lines }] = await Promise.all([
    compiler.compile({ ...source, architecture: task.target.architecture }, signal),
    hostProgram(source, { compiler, host, onHost }, signal),
  ]);
  if (device.kind !== "compiled") return device;
  if (program.kind !== "compiled") return program;
  return { kind: "built", device: namedAs(program.program, device), host: program, lines };
}

/** Of the host's half alone, which most candidates share; of the whole where that cannot be compiled. */
async function hostProgram(
  source: HostSource,
  { compiler, host, onHost }: Omit<Compiling, "task">,
  signal: AbortSignal,
): Promise<{ readonly program: HostCode; readonly lines: SourceLines }> {
  const { files, lines } = await compiler.hostHalf(source);
  const program = await host.compile({ ...source, files }, signal);
  if (program.kind === "did-not-compile") return { program: await host.compile(source, signal), lines: {} };
  if (program.kind === "compiled") onHost?.(program.program);
  return { program, lines };
}
