import { last } from "../../../core/base/known";
import { failureSaid } from "../../../core/workload/capture/failure-said";
import type { Finding } from "../../../core/judge/verdict";
import type { CapturedProgram } from "../services";
import type { WorkloadRequest } from "./finders";

/** Words of programs and tests that compare a kernel's results with what they should be. */
const saysWrong = /\b(?:fail(?:ed|ure)?|wrong|mismatch\w*|incorrect|differs?|AssertionError|not close)\b/i;
/** A launch's fault, as Python tells it where the program does not catch it. */
const raised = /^(?:E +)?kernelwright\.KernelError: (.+?):(\d+): (.+)$/m;
/** A summary that names no test. */
const counts = /^=*\s*\d+ (?:failed|passed)/;
/** The same words are used of what has nothing to do with a result. */
const saysOther = /\b(?:files?|open|read|usage|arguments?|alloc\w*|import|module|device)\b/i;

/**
 * What a program of the user's says against the kernel: a fault in its file, an exit status other than 0
 * with words for a wrong result, or a line that says nothing but that, whatever the status. A program that
 * runs other kernels too may mean those, and one that has met a limit of the virtual GPU fails of that:
 * nothing is said then.
 */
export function ownComplaint(
  ran: CapturedProgram,
  program: string,
  { file, text, kernel }: WorkloadRequest,
): Finding | undefined {
  const { code, workloads, notes, problems, output } = ran;
  if (!isTelling(ran)) return undefined;
  const others = workloads.filter((each) => each.file !== file || each.found.spec.kernel !== kernel);
  const fault =
    code === 0 ? undefined : (problems.find((each) => each.file === file) ?? raisedIn(file, output));
  if (fault !== undefined) {
    const owner = file.endsWith(".py") ? kernelAt(text, fault.line) : undefined;
    const isMeant = owner === undefined ? others.length === 0 : owner === kernel;
    if (!isMeant) return undefined;
    return { ...fault, kind: "program-failed", message: `${fault.message}, when ${program} runs` };
  }
  if (others.length > 0 || notes.length > 0) return undefined;
  const words = code === 0 ? failureSaid(output) : wordsAgainst(output);
  if (words === undefined) return undefined;
  const who = program.endsWith("::") ? "its test" : "the program";
  return {
    kind: "program-failed",
    file: program.replace(/::$/, ""),
    line: 0,
    message: `${who} ended with ${code} and says "${words}"${assumed(workloads)}`,
  };
}

/** Whether a program came to its own end, with launches, and had all that it asked for. */
function isTelling(ran: CapturedProgram): boolean {
  const { signal, cut, launches } = ran;
  return signal === undefined && cut === undefined && launches > 0 && limitMet(ran) === undefined;
}

/** What the virtual GPU could not do for a program: what then fails is not its kernels' fault. */
export function limitMet({ problems }: Pick<CapturedProgram, "problems">): string | undefined {
  const met = problems.find(
    ({ kind, message }) => kind === "refused" || message.startsWith("the virtual GPU"),
  );
  return met && (met.file === "" ? met.message : `${met.file}:${met.line}: ${met.message}`);
}

/** The last line with words for a wrong result. */
function wordsAgainst(output: string): string | undefined {
  const lines = output.split("\n").filter((line) => !counts.test(line));
  const said = lines.filter((line) => saysWrong.test(line) && !saysOther.test(line));
  return said.length === 0 ? undefined : last(said).trim().slice(0, 200);
}

/** How the program was run, which may be what it fails of. */
function assumed([workload]: CapturedProgram["workloads"]): string {
  const program = workload?.found.spec.program;
  if (program === undefined) return "";
  const { arguments: words } = program;
  const given = words.length === 0 ? "without arguments" : `with the arguments ${words.join(" ")}`;
  return `; it was run on the virtual GPU ${given}, and without input`;
}

/** The kernel of a Python source that a line is in; undefined for a line of what nobody launches. */
function kernelAt(text: string, line: number): string | undefined {
  const before = text.split("\n").slice(0, line).join("\n");
  const [, name] = [...before.matchAll(/^[ \t]*def (\w+)/gm)].at(-1) ?? [];
  const isLaunched = name !== undefined && new RegExp(`(?<!\\w)${name}(?:\\.\\w+)*\\s*\\[`).test(text);
  return isLaunched ? name : undefined;
}

function raisedIn(file: string, output: string): Pick<Finding, "file" | "line" | "message"> | undefined {
  const [, path = "", line, message = ""] = raised.exec(output) ?? [];
  return path === file || path.endsWith(`/${file}`) ? { file, line: Number(line), message } : undefined;
}
