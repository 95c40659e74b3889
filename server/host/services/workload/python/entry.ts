import { OperationalError } from "../../../../core/base/operational-error";
import { type Outcome, fail, succeed } from "../../../../core/base/outcome";
import { findKernels, withSource } from "../../../../core/language/source-file";
import type { Grammars } from "../../../../core/language/tree";
import type { Finding } from "../../../../core/judge/verdict";
import type { EntryProbe } from "../../../../core/ports/entry-probe";
import type { FileReader } from "../../../../core/ports/files";
import { callersOf } from "./callers";
import type { FoundWorkload, WorkloadFinder, WorkloadRequest } from "../finders";
import { probe, withOtherSizes } from "./probe";
import type { PythonPrograms } from "./program";

interface PythonEntryOptions {
  readonly files: FileReader;
  readonly grammars: () => Promise<Grammars>;
  readonly prober: EntryProbe;
  readonly programs: PythonPrograms;
  /** A launch of a kernel that nothing launches. */
  readonly bare: WorkloadFinder;
}

/**
 * Python code that launches the kernel, called for real with made-up tensors: of the kernel's own file, else
 * of a file of the workspace that imports it.
 */
export function pythonEntry({ files, grammars, prober, programs, bare }: PythonEntryOptions): WorkloadFinder {
  return {
    looksFor: "Python code that launches the kernel",
    find: async (request) => {
      const { file, text, kernel } = request;
      if (!file.endsWith(".py")) return fail(`${file} is no Python file`);
      const parameters =
        withSource(
          await grammars(),
          file,
          text,
          (source) => findKernels(source).find(({ name }) => name === kernel)?.parameters,
        ) ?? [];
      try {
        const recorded = await programs.record(request);
        // Where no function of the program's can be called again, what makes up its arguments may call one.
        if (recorded.ok && recorded.value.call !== undefined)
          return succeed(await withOtherSizes({ files, prober, parameters }, request, recorded.value));
        const callers = [{ path: file, text }, ...(await callersOf(files, request))];
        const problems: string[] = [];
        let isHopeless = false;
        for (const caller of callers) {
          const found = await probe({ files, prober, parameters }, request, caller);
          if (found.ok) return succeed(await withComplaint(programs, request, found.value));
          problems.push(found.problem);
          const tooOld = beyondArchitecture(request, found.problem);
          if (tooOld !== undefined) throw tooOld;
          // Whatever imports the file fails in the same way.
          isHopeless = await lacksModule(files, found.problem);
          if (isHopeless) break;
        }
        const other = isHopeless
          ? await withoutHostCode(bare, request, problems)
          : await withoutCall({ programs, bare }, request, problems);
        if (other.ok) return other;
        problems.push(other.problem);
        const { complaint } = await programs.say(request, true);
        if (complaint !== undefined) throw complained(request, complaint);
        const why = `no call of its code was found that runs ${kernel}: ${problems.join("; ")}`;
        throw new OperationalError("spec-invalid", {
          forUser: `${file} has no kernel spec, and ${why}. Write ${baseOf(file)}.kernel.json beside it, with the call as its entry.`,
        });
      } catch (thrown) {
        // Without torch the text alone has to do.
        if (thrown instanceof OperationalError && thrown.code === "tool-missing") return fail(thrown.message);
        throw thrown;
      }
    },
  };
}

/** A kernel that its own program shows to be wrong, and that nothing else was found to run. */
function complained({ file, kernel }: WorkloadRequest, { line, message }: Finding): OperationalError {
  const where = line > 0 ? `${file}:${line}` : file;
  return new OperationalError("spec-invalid", {
    forUser: `${where}: ${message}. No other call was found that runs ${kernel}: mend this one, or write ${baseOf(file)}.kernel.json beside it, with a call as its entry.`,
  });
}

/** What a kernel needs a newer GPU for than the one that is modelled, and how that is asked for. */
function beyondArchitecture(
  { file, kernel, target: { architecture } }: WorkloadRequest,
  problem: string,
): OperationalError | undefined {
  const [, type] = /type (\w+) not supported in this architecture/.exec(problem) ?? [];
  if (type === undefined) return undefined;
  const firstWith = type.startsWith("fp8") ? "sm_89" : "sm_90";
  return new OperationalError("spec-invalid", {
    forUser: `${file}: ${kernel} works with ${type}, which ${architecture} has not. Check it on a newer GPU: --target vgpu:${firstWith} (in the editor: the setting kernelwright.target).`,
  });
}

/**
 * A script that runs the kernel; where nothing of the workspace launches it, or what does wants more than can
 * be made up, a launch by itself.
 */
async function withoutCall(
  { programs, bare }: { readonly programs: PythonPrograms; readonly bare: WorkloadFinder },
  request: WorkloadRequest,
  problems: readonly string[],
): Promise<Outcome<FoundWorkload, string>> {
  const ran = await programs.find(request);
  if (ran.ok) return ran;
  const isUncalled = [...problems, ran.problem].every(isUnlaunched);
  const alone = await (isUncalled ? bare.find(request) : withoutHostCode(bare, request, problems));
  if (alone.ok) return alone;
  return fail(isUncalled ? `${ran.problem}; ${alone.problem}` : ran.problem);
}

/** A launch by itself of a kernel whose host code needs what this Python lacks. */
async function withoutHostCode(
  bare: WorkloadFinder,
  request: WorkloadRequest,
  problems: readonly string[],
): Promise<Outcome<FoundWorkload, string>> {
  const alone = await bare.find(request);
  if (!alone.ok) return alone;
  const unlaunchedWords = `nothing launches ${request.kernel}: `;
  const reason = `its host code was not run (${problems.at(-1) ?? ""}): `;
  const unknowns = alone.value.unknowns.map(({ path, sentence }) => ({
    path,
    sentence: sentence.replace(unlaunchedWords, () => reason),
  }));
  return succeed({ ...alone.value, unknowns });
}

/** Whether all that was looked at has no launch of the kernel, or ran without one: none failed. */
function isUnlaunched(problem: string): boolean {
  return unlaunched.some((pattern) => pattern.test(problem));
}

const unlaunched = [
  /^no (?:function of \S+|script or test of the workspace) launches /,
  /: it returned without launching \S+$/,
  /^\S+ ended with 0 after 0 launches, none of them usable for \S+$/,
];

/** Whether Python lacks a module that is none of the workspace's own. */
async function lacksModule(files: FileReader, problem: string): Promise<boolean> {
  const [, name] = /ModuleNotFoundError: No module named '(\w+)[\w.]*', which /.exec(problem) ?? [];
  if (name === undefined) return false;
  const paths = await files.list("", [".py"]);
  return !paths.some((path) => path.split("/").some((part) => part === name || part === `${name}.py`));
}

/** A script of the file is run too where made-up calls left the memory that the kernel was given. */
async function withComplaint(
  programs: PythonPrograms,
  request: WorkloadRequest,
  found: FoundWorkload,
): Promise<FoundWorkload> {
  const faulted = found.unknowns.some(({ sentence }) => sentence.includes("out of bounds"));
  const { complaint, unknowns } = await programs.say(request, faulted);
  const heard = { ...found, unknowns: [...found.unknowns, ...unknowns] };
  return complaint === undefined ? heard : { ...heard, complaint };
}

function baseOf(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1);
}
