import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { OperationalError } from "../../../core/base/operational-error";
import { findingLine, ncuLines } from "../../../core/imports/import-text";
import { type NcuReport, readNcuReport } from "../../../core/imports/ncu-report";
import {
  isSanitizerOutput,
  readSanitizerReport,
  type SanitizerReport,
} from "../../../core/imports/sanitizer-report";
import type { ImportedSession } from "../../../core/ports/run-store";
import { refusalsIn, type ToolRefusal } from "../../../core/imports/tool-refusals";
import type { CommandContext } from "../command-context";
import { exitCodes } from "../exit-codes";
import { plain, printLine, reportLine, type Terminal } from "../terminal";

/** Larger files are refused: a page of ncu has some megabytes. */
const largestFile = 256 * 1024 * 1024;

type Imported =
  | (ImportedSession & { readonly tool: "kernelwright"; readonly file: string })
  | { readonly tool: "ncu"; readonly file: string; readonly report: NcuReport }
  | { readonly tool: "compute-sanitizer"; readonly file: string; readonly report: SanitizerReport }
  | { readonly tool: "none"; readonly file: string; readonly refusals: readonly ToolRefusal[] };

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
  const text = await textOf(file, folder);
  const refusals = refusalsIn(text);
  if (isSanitizerOutput(text)) {
    const report = readSanitizerReport(text);
    const empty = report.findings.length === 0 && report.summaries.length === 0;
    if (!empty || refusals.length === 0) return { tool: "compute-sanitizer", file, report };
    return { tool: "none", file, refusals };
  }
  const read = readNcuReport(text);
  if (read.ok && (read.value.launches.length > 0 || refusals.length === 0))
    return { tool: "ncu", file, report: read.value };
  if (refusals.length > 0) return { tool: "none", file, refusals };
  const { line, text: problem } = read.ok ? { line: 1, text: "no launch" } : read.problem;
  throw new OperationalError("file-unreadable", { forUser: `${file}:${line}: ${problem}` });
}

async function textOf(file: string, folder: string): Promise<string> {
  const path = resolve(folder, file);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true)
    throw new OperationalError("file-not-found", {
      forUser: `${file}: there is no such file. Name a file with the output of ncu --csv or of compute-sanitizer, or a session's log or folder.`,
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
  switch (imported.tool) {
    case "kernelwright":
      say(`${imported.file}: ${imported.events} events, now session ${imported.sessionId}`);
      if (imported.missingTexts > 0)
        say(
          `warning: ${imported.missingTexts} texts are not beside the log: import the session's folder where its folder of blobs lies beside it`,
        );
      return;
    case "ncu":
      for (const line of ncuLines(imported.report)) say(line);
      return;
    case "compute-sanitizer":
      for (const finding of imported.report.findings) say(findingLine(finding));
      for (const headline of imported.report.unknown) say(`compute-sanitizer: ${headline}`);
      for (const summary of imported.report.summaries) say(`compute-sanitizer: ${summary}`);
      return;
    case "none":
      for (const { says, means, remedy } of imported.refusals)
        say(`${imported.file}: nothing was measured (${says}): ${means}; ${remedy}`);
  }
}

function codeOf(imported: Imported): number {
  if (imported.tool === "none") return exitCodes.failed;
  if (imported.tool !== "compute-sanitizer") return exitCodes.done;
  return imported.report.findings.length > 0 ? exitCodes.negative : exitCodes.done;
}
