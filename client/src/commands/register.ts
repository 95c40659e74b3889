import { commands, Disposable, l10n, type LogOutputChannel, window } from "vscode";
import { isAllowedToRun } from "../trust";
import { agreeToDoWithoutWalls, isWallsMissing } from "./agreement";
import type { Command, Parts } from "./command";
import { remedyFor } from "./remedies";
import { commandTable } from "./table";

/**
 * Registers every command. A failure is shown once with the server's own sentence and logged whole; nothing
 * is left spinning.
 */
export function registerCommands(parts: Parts): Disposable {
  return Disposable.from(
    ...commandTable.map((command) =>
      commands.registerCommand(command.id, (argument: unknown) => execute(command, parts, argument)),
    ),
  );
}

/** Runs a command; once more when it was refused for want of walls and the user now agrees to do without. */
async function runAgreed(command: Command, parts: Parts, argument: unknown): Promise<void> {
  try {
    await command.run(parts, argument);
  } catch (error) {
    if (!isWallsMissing(error)) throw error;
    if (await agreeToDoWithoutWalls(error)) await command.run(parts, argument);
  }
}

async function execute(command: Command, parts: Parts, argument: unknown): Promise<void> {
  if (command.runsCode === true && !isAllowedToRun()) return;
  try {
    await runAgreed(command, parts, argument);
  } catch (error) {
    parts.log.error(
      `${command.id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    complainOf(error, parts.log);
  }
}

/** The server's own sentence, with what can be done about it; the log has the rest. */
function complainOf(error: unknown, log: LogOutputChannel): void {
  const showLog = l10n.t("Show Log");
  const remedy = remedyFor(error);
  const choices = [...(remedy === undefined ? [] : [remedy.title]), showLog];
  void window
    .showErrorMessage(error instanceof Error ? error.message : String(error), ...choices)
    .then((chosen) => {
      if (chosen === showLog) return log.show(true);
      return chosen === undefined ? undefined : remedy?.act();
    });
}
