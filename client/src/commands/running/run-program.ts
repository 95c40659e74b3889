import { commands, l10n, window } from "vscode";
import type { ProgramParams, RunProgramResult } from "../../../../server/protocol/requests";
import type { ProgramMode } from "../../../../server/protocol/views";
import { buttonsFor } from "../../messages";
import type { Command, Parts } from "../command";
import { askForArguments, programFrom, programName } from "./program-argument";
import { settleUnsaved } from "./unsaved";

/** A whole program on the virtual GPU, with its output in a terminal. */
export const runProgram: Command = {
  id: "kernelwright.runProgram",
  runsCode: true,
  run: (parts, argument) => runAs(parts, argument, "run"),
};

/** With the sanitizer: what it finds stands on the lines. */
export const sanitizeProgram: Command = {
  id: "kernelwright.sanitizeProgram",
  runsCode: true,
  run: (parts, argument) => runAs(parts, argument, "sanitize"),
};

/** With counters: what each line costs stands beside it. */
export const profileProgram: Command = {
  id: "kernelwright.profileProgram",
  runsCode: true,
  run: (parts, argument) => runAs(parts, argument, "profile"),
};

async function runAs(parts: Parts, argument: unknown, mode: ProgramMode): Promise<void> {
  const program = programFrom(argument);
  if (program === undefined || !(await settleUnsaved(program.uri))) return;
  await runInTerminal(parts, program, mode);
}

function titleOf(mode: ProgramMode, name: string): string {
  if (mode === "run") return l10n.t("Running {0}", name);
  return mode === "sanitize" ? l10n.t("Sanitizing {0}", name) : l10n.t("Profiling {0}", name);
}

async function runInTerminal(parts: Parts, program: ProgramParams, mode: ProgramMode): Promise<void> {
  const name = programName(program);
  const title = titleOf(mode, name);
  const { run, terminal } = parts.terminals.begin(name, () => parts.tasks.cancel(title));
  terminal.write(`${[title, ...(program.arguments ?? [])].join(" ")}\n`);
  try {
    const result = await parts.tasks.run(title, (token) =>
      parts.connection.request("kernelwright/runProgram", { ...program, mode, run }, token),
    );
    const told = result === undefined ? [l10n.t("Ended by you.")] : result.report;
    terminal.write(told.map((line) => `${line}\n`).join(""));
    // The message stays until the user has read it; the command has done its work.
    if (result !== undefined && !result.passed) void tell(parts, { program, mode, result });
  } catch (error) {
    terminal.write(`${error instanceof Error ? error.message : String(error)}\n`);
    throw error;
  } finally {
    parts.terminals.finish(run);
  }
}

interface Ended {
  readonly program: ProgramParams;
  readonly mode: ProgramMode;
  readonly result: RunProgramResult;
}

/** A program that launched nothing may only lack arguments; of one that does not compile Problems tells. */
async function tell(parts: Parts, { program, mode, result }: Ended): Promise<void> {
  const [give, problems] = [l10n.t("Give Arguments…"), l10n.t("Show Problems")];
  const mayLack = result.hasRun && result.launches === 0 && program.test === undefined;
  const choices = [...(mayLack ? [give] : []), ...(result.hasRun ? [] : [problems])];
  const chosen = await window.showWarningMessage(result.summary, ...buttonsFor(result.summary, choices));
  if (chosen === problems) return void (await commands.executeCommand("workbench.actions.view.problems"));
  if (chosen !== give) return;
  const words = await askForArguments(program);
  if (words !== undefined) await runInTerminal(parts, { ...program, arguments: words }, mode);
}
