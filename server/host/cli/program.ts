import { CommanderError } from "commander";
import { OperationalError, toOperational } from "../../core/base/operational-error";
import { buildProgram, type ProgramOptions } from "./build-program";
import type { CommandContext } from "./command-context";
import { compilerWords } from "./compiler-words";
import { exitCodeOfError, exitCodes } from "./exit-codes";
import { paint, plain, printLine, reportLine } from "./terminal";

/**
 * Runs one command line; gives the exit code and never throws. Arguments are those after the program's name.
 */
export async function runProgram(
  context: CommandContext,
  argv: readonly string[],
  options: ProgramOptions,
): Promise<number> {
  let code: number = exitCodes.done;
  const program = buildProgram(context, options, (result) => {
    code = result;
  });
  try {
    await program.parseAsync([...compilerWords(argv)], { from: "user" });
    return code;
  } catch (thrown) {
    const json = argv.includes("--json");
    if (!(thrown instanceof CommanderError)) return reportFailure(context, asOperational(thrown), json);
    if (thrown.exitCode === 0) return exitCodes.done;
    // The text for people has been written by the parser already.
    if (json)
      printFailure(
        context,
        new OperationalError("usage", { forUser: thrown.message, remedy: "kernelwright --help" }),
        "failed",
      );
    return exitCodes.usage;
  }
}

function asOperational(thrown: unknown): OperationalError {
  if (!(thrown instanceof RangeError) || !/memory/i.test(thrown.message))
    return toOperational(thrown, "tool-failed");
  return new OperationalError("tool-failed", {
    forUser: `There is too little memory to run kernels (${thrown.message}): a limit on address space stands in the way, or other programs use it all`,
    remedy: "ulimit -v unlimited",
    cause: thrown,
  });
}

function reportFailure(context: CommandContext, error: OperationalError, json: boolean): number {
  const code = context.signal.aborted ? exitCodes.cancelled : exitCodeOfError(error);
  reportLine(context.terminal, `${paint(context.terminal, "red", "error")}: ${plain(error.message)}`);
  if (error.remedy !== undefined) reportLine(context.terminal, plain(`  ${error.remedy}`));
  if (json) printFailure(context, error, code === exitCodes.cancelled ? "cancelled" : "failed");
  return code;
}

/** The last line of `--json` when there is no result. */
function printFailure(
  context: CommandContext,
  error: OperationalError,
  outcome: "failed" | "cancelled",
): void {
  printLine(
    context.terminal,
    JSON.stringify({
      outcome,
      error: { code: error.code, message: error.message, remedy: error.remedy ?? null },
    }),
  );
}
