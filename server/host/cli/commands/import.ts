import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { OperationalError } from "../../../core/base/operational-error";
import { readToolOutput, type ToolOutput, toolLines } from "../../../core/imports/tool-output";
import type { ImportedSession } from "../../../core/ports/run-store";
import type { CommandContext } from "../command-context";
import { exitCodes } from "../exit-codes";
import { plain, printLine, reportLine, type Terminal } from "../terminal";

/** Larger files are refused: a page of ncu has some megabytes. */
const largestFile = 256 * 1024 * 1024;

type Imported =
  | (ImportedSession & { readonly tool: "kernelwright"; readonly file: string })
  | (ToolOutput & { readonly file: string });

/**
 * `import`: what NVIDIA's tools printed on a GPU, on the source lines and under the names that the virtual
 * GPU's counters and findings have; the log of a session is copied to the user's own. Exit code 1 where the
 * sanitizer found something, 3 where a tool refused.
 */
export async function importCommand(
  context: CommandContext,
  files: readonly string[],
  options: { readonly json: boolean },
): Promise<number> {
  const { terminal } = context;
  const imported: Imported[] = [];
  for (const file of files)
    imported.push(
      (await isSessionLog(resolve(terminal.currentFolder, file)))
        ? await importLog(context, file)
        : await importFile(file, terminal.currentFolder),
    );
  for (const each of imported) tell(terminal, each, options.json);
  const measured = imported.some(({ tool }) => tool !== "kernelwright");
  if (options.json)
    printLine(
      terminal,
      JSON.stringify({ origin: measured ? "measured" : null, toolVersion: null, imported }),
    );
  return Math.max(...imported.map(codeOf));
}

/** Folders are sessions, and so are files of one object a line. */
async function isSessionLog(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true || (found?.isFile() === true && path.endsWith(".jsonl"));
}

async function importLog(context: CommandContext, file: string): Promise<Imported> {
  const folder = context.terminal.currentFolder;
  const services = await context.openServices(folder, {});
  try {
    const session = await services.sessions.shelf.bringIn(resolve(folder, file));
    return { tool: "kernelwright", file, ...session };
  } finally {
    await services.dispose();
  }
}

async function importFile(file: string, folder: string): Promise<Imported> {
  const read = readToolOutput(await textOf(file, folder));
  if (read.ok) return { ...read.value, file };
  const { line, text } = read.problem;
  throw new OperationalError("file-unreadable", { forUser: `${file}:${line}: ${text}` });
}

async function textOf(file: string, folder: string): Promise<string> {
  const path = resolve(folder, file);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true)
    throw new OperationalError("file-not-found", {
      forUser: `${file}: there is no such file. Name a file with the output of ncu --csv, of compute-sanitizer or of Proton (.hatchet), or a session's log or folder.`,
    });
  if (found.size > largestFile)
    throw new OperationalError("file-unreadable", {
      forUser: `${file}: ${found.size} bytes; at most ${largestFile} are read. Print fewer launches (--launch-count).`,
    });
  return readFile(path, "utf8");
}

function tell(terminal: Terminal, imported: Imported, json: boolean): void {
  const say = (line: string): void => {
    if (json) reportLine(terminal, plain(line));
    else printLine(terminal, plain(line));
  };
  if (imported.tool !== "kernelwright") {
    for (const line of toolLines(imported, imported.file)) say(line);
    return;
  }
  say(`${imported.file}: ${imported.events} events, now session ${imported.sessionId}`);
  if (imported.missingTexts > 0)
    say(
      `warning: ${imported.missingTexts} texts are not beside the log: import the session's folder where its folder of blobs lies beside it`,
    );
}

function codeOf(imported: Imported): number {
  if (imported.tool === "none") return exitCodes.failed;
  if (imported.tool !== "compute-sanitizer") return exitCodes.done;
  return imported.report.findings.length > 0 ? exitCodes.negative : exitCodes.done;
}
