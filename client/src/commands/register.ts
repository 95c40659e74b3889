import { commands, Disposable, l10n, window } from "vscode";
import { isAllowedToRun } from "../trust";
import { agreeToDoWithoutWalls, isWallsMissing } from "./agreement";
import type { Command, Parts } from "./command";
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
    const showLog = l10n.t("Show Log");
    void window
      .showErrorMessage(error instanceof Error ? error.message : String(error), showLog)
      .then((chosen) => (chosen === showLog ? parts.log.show(true) : undefined));
  }
}
