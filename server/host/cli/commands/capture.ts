import type { CapturedProgram, CapturedWorkload } from "../../services/services";
import { type CommandContext, readKernelName, readTarget, type ServiceOptions } from "../command-context";
import { exitCodes } from "../exit-codes";
import { formatTable, plain, printLine, reportLine } from "../terminal";
import { writeSpec } from "../write-spec";

export interface CaptureOptions extends ServiceOptions {
  readonly target?: string;
  readonly json: boolean;
  /** Replaces specs that stand there already. */
  readonly force: boolean;
  readonly compileOption: readonly string[];
}

interface Written {
  readonly workload: CapturedWorkload;
  readonly isWritten: boolean;
}

/**
 * `capture`: runs a program once on the virtual GPU and writes a kernel spec for each kernel that it
 * launched. The program's input and output are its own.
 */
export async function captureCommand(
  context: CommandContext,
  file: string,
  args: readonly string[],
  options: CaptureOptions,
): Promise<number> {
  const { terminal, signal } = context;
  const { workspaceFolder, name } = readKernelName(file, terminal.currentFolder);
  const test = file.includes(".py::") ? file.slice(file.indexOf("::") + 2) : undefined;
  const services = await context.openServices(workspaceFolder, options);
  try {
    const captured = await services.captures.capture({
      file: test === undefined ? name.file : `${name.file}::${test}`,
      arguments: args,
      compileOptions: options.compileOption,
      target: readTarget(options.target),
      descriptors: options.json ? [0, 2, 2] : [0, 1, 2],
      signal,
    });
    const written: Written[] = [];
    for (const workload of captured.workloads)
      written.push({
        workload,
        isWritten: await writeSpec(workspaceFolder, workload.found, options.force),
      });
    if (options.json) printLine(terminal, JSON.stringify(jsonReport(captured, written)));
    else report(context, name.file, captured, written);
    return written.length > 0 ? exitCodes.done : exitCodes.negative;
  } finally {
    await services.dispose();
  }
}

function jsonReport({ code, launches, notes }: CapturedProgram, written: readonly Written[]): object {
  return {
    outcome: written.length > 0 ? "captured" : "nothing",
    program: { code },
    launches,
    workloads: written.map(({ workload, isWritten }) => ({
      kernel: workload.kernel,
      file: workload.file,
      spec: workload.found.specPath,
      written: isWritten,
      cases: workload.found.spec.shapes.length,
      launches: workload.launches,
      leftOut: workload.leftOut,
    })),
    notes,
  };
}

function report(
  { terminal }: CommandContext,
  file: string,
  captured: CapturedProgram,
  written: readonly Written[],
): void {
  for (const { file: at, line, message } of captured.problems)
    reportLine(terminal, plain(`${at === "" ? "" : `${at}:${line}: `}${message}`));
  if (captured.code !== 0 || captured.signal !== undefined)
    reportLine(
      terminal,
      `${file} ended with ${captured.signal ?? captured.code}; what it launched before was recorded`,
    );
  const rows = written.map(({ workload }) => [
    workload.kernel,
    workload.file,
    `${workload.launches} ${workload.launches === 1 ? "launch" : "launches"}`,
    `${workload.found.spec.shapes.length} ${workload.found.spec.shapes.length === 1 ? "case" : "cases"}`,
    workload.leftOut === 0 ? "" : `${workload.leftOut} different launches not recorded`,
    workload.found.specPath,
  ]);
  for (const row of formatTable(rows)) printLine(terminal, plain(row));
  for (const { workload, isWritten } of written)
    if (!isWritten)
      reportLine(
        terminal,
        `${workload.found.specPath} stands there already and was left as it is: --force replaces it`,
      );
  for (const note of captured.notes) reportLine(terminal, plain(note));
  if (captured.launches === 0)
    reportLine(
      terminal,
      `${file} launched no kernel. Give it the arguments with which it does: kernelwright capture ${file} -- ARGUMENTS`,
    );
}
