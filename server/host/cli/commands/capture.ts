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
  /** Seconds after which the program is ended. */
  readonly seconds?: number;
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
  const [input, output, errors] = terminal.descriptors;
  const { workspaceFolder, name } = readKernelName(file, terminal.currentFolder);
  const test = file.includes(".py::") ? file.slice(file.indexOf("::") + 2) : undefined;
  const services = await context.openServices(workspaceFolder, options);
  try {
    const captured = await services.captures.capture({
      file: test === undefined ? name.file : `${name.file}::${test}`,
      arguments: args,
      compileOptions: options.compileOption,
      target: readTarget(options.target),
      descriptors: [input, options.json ? errors : output, errors],
      ...(options.seconds === undefined
        ? {}
        : { patience: { seconds: options.seconds, of: "wall" as const } }),
      signal,
      keepsWhenEnded: true,
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

function jsonReport({ code, cut, launches, notes }: CapturedProgram, written: readonly Written[]): object {
  return {
    outcome: written.length > 0 ? "captured" : "nothing",
    program: { code, cut: cut ?? null },
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
  for (const line of endLines(file, captured)) reportLine(terminal, line);
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
}

/** What is to be told of how the program ended, a sentence each. */
function endLines(file: string, { code, signal, cut, launches }: CapturedProgram): readonly string[] {
  const ended = `${file} ended with ${signal ?? code}`;
  const again = `Give it the arguments, or the input, with which it does: kernelwright capture ${file} -- ARGUMENTS < INPUT`;
  const isWhole = cut === undefined;
  if (launches > 0 && !isWhole) return [`${file}: ${cut}`];
  if (launches > 0) return code === 0 ? [] : [`${ended}; what it launched before was recorded`];
  if (!isWhole) return [`${file} launched no kernel before it was ended, so nothing was recorded. ${again}`];
  if (signal !== undefined)
    return [
      `${ended} before it launched a kernel, so nothing was recorded. kernelwright run ${file} shows the program alone`,
    ];
  return [`${code === 0 ? file : `${ended} and`} launched no kernel. ${again}`];
}
