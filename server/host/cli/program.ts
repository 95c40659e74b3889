import { CommanderError } from "commander";
import { OperationalError, toOperational } from "../../core/base/operational-error";
import { buildProgram, type ProgramOptions } from "./build-program";
import type { CommandContext } from "./command-context";
import { compilerWords } from "./compiler-words";
import { exitCodeOfError, exitCodes } from "./exit-codes";
import { failureFields, reportError } from "./failure";
import { printLine } from "./terminal";

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
    const error = new OperationalError("usage", {
      forUser: thrown.message,
      remedy: "kernelwright --help",
    });
    if (json) printLine(context.terminal, JSON.stringify(failureFields(error, "failed")));
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
  reportError(context.terminal, error);
  const outcome = code === exitCodes.cancelled ? "cancelled" : "failed";
  if (json) printLine(context.terminal, JSON.stringify(failureFields(error, outcome)));
  return code;
}
