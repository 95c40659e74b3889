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
}

/** The kernels of one file, in their order. */
interface Kernels {
  readonly name: KernelName;
  readonly kernels: readonly string[];
  readonly json: boolean;
}

/**
 * Runs `work` for one kernel after the other; that one of them cannot be done is no reason to leave out the
 * others. The exit code is 0 where any got better.
 */
export async function eachKernel(
  { terminal, signal }: CommandContext,
  { name, kernels, json }: Kernels,
  work: (name: KernelName) => Promise<Finished>,
): Promise<number> {
  const all: Finished[] = [];
  for (const kernel of kernels) {
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
