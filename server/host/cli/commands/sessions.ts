import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { OperationalError } from "../../../core/base/operational-error";
import type { SessionSummary } from "../../../core/ports/run-store";
import type { CommandContext, ServiceOptions } from "../command-context";
import { exitCodes } from "../exit-codes";
import { type Column, fittedTable } from "../fitted-table";
import { plain, printLine, reportLine, reportWidth } from "../terminal";

interface SessionsOptions extends ServiceOptions {
  readonly json: boolean;
}

const sessionColumns: readonly Column<SessionSummary>[] = [
  { head: "session", cell: ({ sessionId }) => sessionId },
  { head: "started (UTC)", cell: ({ started }) => started.slice(0, 16).replace("T", " ") },
  { head: "status", cell: ({ status }) => status },
  { head: "candidates", cell: ({ candidates }) => String(candidates) },
  { head: "target", cell: ({ target }) => target },
  { head: "", cell: ({ file, kernel }) => (file === "" ? "" : `${file}::${kernel}`), below: true },
  { head: "", cell: ({ reason }) => reason, below: true },
];

/** `sessions`: what is on disk, newest first. */
export async function sessionsCommand(context: CommandContext, options: SessionsOptions): Promise<number> {
  const services = await context.openServices(context.terminal.currentFolder, options);
  try {
    const sessions = await services.sessions.list();
    if (options.json) printLine(context.terminal, JSON.stringify({ sessions }));
    else if (sessions.length === 0)
      printLine(context.terminal, "No sessions yet: `kernelwright optimize FILE` makes one.");
    else {
      for (const row of fittedTable(sessionColumns, sessions, reportWidth(context.terminal)))
        printLine(context.terminal, plain(row));
    }
    return exitCodes.done;
  } finally {
    await services.dispose();
  }
}

interface ExportOptions extends SessionsOptions {
  readonly format: string;
  readonly output?: string;
}

/**
 * `export`: a session in another format, to a file or to standard output; the newest session when none is
 * named.
 */
export async function exportCommand(
  context: CommandContext,
  sessionId: string | undefined,
  options: ExportOptions,
): Promise<number> {
  const services = await context.openServices(context.terminal.currentFolder, options);
  try {
    const id = sessionId ?? (await services.sessions.list())[0]?.sessionId;
    if (id === undefined)
      throw new OperationalError("session-not-found", {
        forUser: "There is no session to export yet: `kernelwright optimize FILE` makes one.",
      });
    const exported = await services.sessions.export(id, options.format);
    for (const problem of exported.problems) reportLine(context.terminal, plain(`warning: ${problem}`));
    const file =
      options.output === undefined ? undefined : resolve(context.terminal.currentFolder, options.output);
    if (file !== undefined) await writeExport(file, exported.text);
    if (options.json)
      printLine(
        context.terminal,
        JSON.stringify({
          session: id,
          format: options.format,
          file: file ?? null,
          problems: exported.problems,
          ...(file === undefined ? { text: exported.text } : {}),
        }),
      );
    else if (file === undefined) context.terminal.output.write(exported.text);
    else reportLine(context.terminal, `wrote ${file}`);
    return exitCodes.done;
  } finally {
    await services.dispose();
  }
}

async function writeExport(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new OperationalError("disk-failed", {
      forUser: `The export could not be written to ${file}: ${why}. Name another file with --output.`,
      cause,
    });
  }
}
