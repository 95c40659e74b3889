import { last } from "../../core/base/known";
import { OperationalError } from "../../core/base/operational-error";
import { embeddedSource } from "../../core/language/cuda-in-python";
import type { KernelSpec } from "../../core/workload/spec";
import { type SpecProblem, parseKernelSpec } from "../../core/workload/spec-parse";
import { normalizePath } from "../../core/base/path-rules";
import type { FileReader } from "../../core/ports/files";
import { defaultTarget } from "../../core/timing/target";
import { pathFromSpec } from "./sources/source-tree";
import { followMoves } from "./sources/spec-moves";
import type { FoundSpec, InferenceOptions, KernelName, SpecService } from "./services";

/** Makes specs for kernels without one. Both throw `kernel-not-found` when the file has no such kernel. */
export interface SpecInference {
  infer(name: KernelName, how: InferenceOptions): Promise<FoundSpec>;
  /** The kernels of a file: those that are launched in loops first, then in source order. */
  kernels(file: string): Promise<readonly string[]>;
  /** The file whose kernels are meant by one that only launches or declares them; else the file itself. */
  home(name: KernelName): Promise<string>;
}

const specSuffix = ".kernel.json";

/**
 * Finds, reads and infers kernel specs of one workspace. Files are read anew each time: they are small and
 * the user edits them.
 */
export function createSpecService(files: FileReader, inference: SpecInference): SpecService {
  const stored = (name: KernelName): Promise<FoundSpec | undefined> =>
    isSpecFile(name.file) ? specAt(files, name) : storedSpec(files, name);
  const atHome = async (name: KernelName): Promise<KernelName> => {
    const source = isSpecFile(name.file) ? sourceOf(await specAt(files, name)) : name;
    return { ...source, file: await inference.home(source) };
  };
  return {
    parse: (source) => Promise.resolve(readSpec(source)),
    infer: async (name, how) => inference.infer(await atHome(name), how),
    stored,
    follow: (moves, unsaved) => followMoves(files, moves, unsaved),
    kernels: async (name) => {
      if (isSpecFile(name.file)) return [(await specAt(files, name)).spec.kernel];
      if (name.kernel !== undefined) return [name.kernel];
      const { matching } = await specsOf(files, name);
      if (matching.length > 0) return [...new Set(matching.map(({ spec }) => spec.kernel))];
      return inference.kernels((await atHome(name)).file);
    },
    find: async (name, how) => {
      const beside = await stored(name);
      if (beside !== undefined) return beside;
      const meant = await atHome(name);
      const kept = meant.file === name.file ? undefined : await stored(meant);
      return (
        kept ??
        inference.infer(meant, { target: defaultTarget, signal: new AbortController().signal, ...how })
      );
    },
  };
}

/** Whether a kernel is named by its spec's file. */
export function isSpecFile(file: string): boolean {
  return file.endsWith(specSuffix);
}

/** The kernel that a spec is of. */
export function sourceOf({ specFolder, spec }: FoundSpec): Required<KernelName> {
  return { file: pathFromSpec(specFolder, spec.file), kernel: spec.kernel };
}

/** The spec in a file. Throws `file-not-found`, and `kernel-not-found` where another kernel was named. */
async function specAt(files: FileReader, { file, kernel }: KernelName): Promise<FoundSpec> {
  const text = await files.read(file);
  if (text === undefined)
    throw new OperationalError("file-not-found", { forUser: `${file}: there is no such file.` });
  const found = readSpec({ specPath: file, text });
  if (kernel === undefined || sameKernel(found.spec, kernel)) return found;
  throw new OperationalError("kernel-not-found", {
    forUser: `${file} is the spec of ${found.spec.kernel}, not of ${kernel}.`,
  });
}

async function storedSpec(files: FileReader, name: KernelName): Promise<FoundSpec | undefined> {
  const { matching, broken } = await specsOf(files, name);
  const [first, ...others] = matching;
  if (first && others.length > 0) {
    const main = mainInstance(matching);
    if (main === undefined) throw ambiguous(name, matching);
    return main;
  }
  const near = broken.find(
    (each) =>
      each.specPath === `${name.file}${specSuffix}` || each.text.includes(`${last(name.file.split("/"))}::`),
  );
  if (first === undefined && near) throw near.error;
  return first;
}

/**
 * Of the recorded instances of one template the one whose file is called after the kernel alone; undefined
 * where the specs are of other kinds. The others are named by their files.
 */
function mainInstance(matching: readonly FoundSpec[]): FoundSpec | undefined {
  const stemOf = ({ specPath }: FoundSpec): string => specPath.slice(0, -specSuffix.length);
  const [main, ...others] = [...matching].sort((one, other) => one.specPath.length - other.specPath.length);
  const isInstance = ({ spec: { kernel, run } }: FoundSpec): boolean =>
    kernel === main?.spec.kernel && run.kind === "launch" && run.launch.instance !== undefined;
  if (main === undefined || !matching.every(isInstance)) return undefined;
  return others.every((each) => stemOf(each).startsWith(`${stemOf(main)}.`)) ? main : undefined;
}

interface Search {
  readonly matching: readonly FoundSpec[];
  readonly broken: readonly {
    readonly specPath: string;
    readonly text: string;
    readonly error: OperationalError;
  }[];
}

async function specsOf(files: FileReader, name: KernelName): Promise<Search> {
  const matching: FoundSpec[] = [];
  const broken: { specPath: string; text: string; error: OperationalError }[] = [];
  for (const specPath of await files.list("", [specSuffix])) {
    const text = await files.read(specPath);
    if (text === undefined) continue;
    try {
      const found = readSpec({ specPath, text });
      if (names(found, name)) matching.push(found);
    } catch (thrown) {
      // A broken spec of another kernel may not stand in the way of this one.
      if (!(thrown instanceof OperationalError)) throw thrown;
      broken.push({ specPath, text, error: thrown });
    }
  }
  return { matching, broken };
}

function names(found: FoundSpec, name: KernelName): boolean {
  const file = normalizePath(`${found.specFolder}/${found.spec.file}`);
  const isOf = file === name.file || file === embeddedSource(name.file);
  return isOf && (name.kernel === undefined || sameKernel(found.spec, name.kernel));
}

/** `nn::scale` and `scale` mean the same kernel within one file. */
function sameKernel(spec: KernelSpec, kernel: string): boolean {
  return spec.kernel === kernel || spec.kernel.split("::").at(-1) === kernel.split("::").at(-1);
}

function readSpec(source: { readonly specPath: string; readonly text: string }): FoundSpec {
  const { specPath, text } = source;
  const parsed = parseKernelSpec(text);
  if (!parsed.ok) {
    const [first] = parsed.problem;
    throw new OperationalError("spec-invalid", {
      forUser: parsed.problem.map((problem) => describeProblem(specPath, problem)).join("\n"),
      ...(first && { place: { file: specPath, line: first.line } }),
    });
  }
  const specFolder = specPath.includes("/") ? specPath.slice(0, specPath.lastIndexOf("/")) : "";
  return { spec: parsed.value, specPath, specFolder, text, inferred: false, unknowns: [] };
}

function describeProblem(specPath: string, problem: SpecProblem): string {
  return `${specPath}:${problem.line}:${problem.column}: ${problem.message}`;
}

function ambiguous(name: KernelName, matching: readonly FoundSpec[]): OperationalError {
  const choices = matching
    .map((found) => `${name.file}::${found.spec.kernel} (${found.specPath})`)
    .join(", ");
  return new OperationalError("kernel-not-found", {
    forUser: `${name.file} has several kernel specs; name one of ${choices}.`,
  });
}
