import { OperationalError } from "../../../core/base/operational-error";
import { at } from "../../../core/base/known";
import type { KernelName } from "../../services/sources/ports";
import type { CommandContext } from "../command-context";
import { exitCodeOfError, exitCodes } from "../exit-codes";
import { failureFields, reportError } from "../failure";
import { formatTable, paint, plain, printLine } from "../terminal";

/** What came of one kernel. */
export interface Finished {
  readonly code: number;
  /** In one line. */
  readonly words: string;
  /** The object of `--json`. */
  readonly json: object;
  /** What is proposed; none where nothing is. */
  readonly proposal?: readonly ProposedText[];
}

/** A file as it was and as it is proposed. */
interface ProposedText {
  readonly base: string;
  readonly proposed: string;
}

/** The kernels of one file, in their order. */
interface Kernels {
  readonly name: KernelName;
  readonly kernels: readonly string[];
  readonly json: boolean;
}

/**
 * Runs `work` for one kernel after the other; that one of them cannot be done is no reason to leave out the
 * others. One that the proposal for an earlier one makes needless is not looked at. The exit code is 0 where
 * any got better.
 */
export async function eachKernel(
  { terminal, signal }: CommandContext,
  { name, kernels, json }: Kernels,
  work: (name: KernelName) => Promise<Finished>,
): Promise<number> {
  const all: Finished[] = [];
  for (const kernel of kernels) {
    const holder = all.findIndex(({ proposal }) => proposal !== undefined && isGone(kernel, proposal));
    if (holder >= 0) {
      const within = at(kernels, holder);
      const words = `its work is part of what is proposed for ${within}`;
      all.push({ code: at(all, holder).code, words, json: { kernel, file: name.file, within } });
      continue;
    }
    if (!json) printLine(terminal, paint(terminal, "bold", plain(kernel)));
    all.push(
      await work({ ...name, kernel }).catch((thrown: unknown) => {
        if (signal.aborted || !(thrown instanceof OperationalError)) throw thrown;
        reportError(terminal, thrown);
        const fields = { kernel, file: name.file, ...failureFields(thrown, "failed") };
        return { code: exitCodeOfError(thrown), words: "could not be optimized", json: fields };
      }),
    );
    if (!json) printLine(terminal);
    if (signal.aborted) break;
  }
  if (json) printLine(terminal, JSON.stringify({ file: name.file, kernels: all.map((each) => each.json) }));
  else
    for (const row of formatTable(all.map(({ words }, index) => [at(kernels, index), words])))
      printLine(terminal, plain(row));
  if (signal.aborted) return exitCodes.cancelled;
  const codes = all.map(({ code }) => code);
  return codes.includes(exitCodes.done) ? exitCodes.done : Math.max(...codes);
}

/** True where a proposal leaves nothing of a kernel of its files, but for a Python definition. */
function isGone(kernel: string, proposal: readonly ProposedText[]): boolean {
  const use = new RegExp(`(?<!\\bdef\\s+)\\b${kernel.split("::").at(-1)}\\b`);
  return proposal.some(({ base }) => use.test(base)) && !proposal.some(({ proposed }) => use.test(proposed));
}
