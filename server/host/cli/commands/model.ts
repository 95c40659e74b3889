import { describeSizes, describeVerdict } from "../../../core/words/describe";
import { modelRows } from "../../../core/words/model-text";
import { type CommandContext, readKernelName, readTarget } from "../command-context";
import { exitCodes } from "../exit-codes";
import { plain, printLine, reportLine, reportWidth } from "../terminal";
import type { JudgeOptions } from "./judge";

/**
 * `model`: the timeline of one multiprocessor and what its warps wait for, line by line, from a simulation of
 * the machine code's schedule on the first visible shape.
 */
export async function modelCommand(
  context: CommandContext,
  kernel: string,
  options: JudgeOptions,
): Promise<number> {
  const { terminal, signal } = context;
  const { workspaceFolder, name } = readKernelName(kernel, terminal.currentFolder);
  const target = readTarget(options.target);
  const services = await context.openServices(workspaceFolder, options);
  try {
    const { spec, verdict, sizes, models, notes } = await services.judge.model(name, { target, signal });
    for (const unknown of spec.unknowns) reportLine(terminal, plain(`spec inferred, not known: ${unknown}`));
    for (const note of notes) reportLine(terminal, plain(note));
    const words = verdict === undefined ? notJudged : describeVerdict(verdict);
    if (options.json) {
      printLine(
        terminal,
        JSON.stringify({ kernel: spec.spec.kernel, file: name.file, verdict, sizes, models }),
      );
    } else {
      for (const model of models)
        for (const row of modelRows(model, reportWidth(terminal))) printLine(terminal, plain(row));
      if (models.length === 0) printLine(terminal, notModelled);
      const simulated = verdict?.kind === "correct" ? verdict.evidence.sizes : sizes;
      const at = simulated === undefined ? "" : ` at ${describeSizes(simulated)}`;
      printLine(terminal, `simulated${at} (docs/model.md), not measured`);
      printLine(terminal, plain(`${spec.spec.kernel}: ${words}`));
    }
    return models.length > 0 ? exitCodes.done : exitCodes.negative;
  } finally {
    await services.dispose();
  }
}

const notModelled =
  "nothing was simulated: the kernel did not run, its host code launches kernels of a library, or it launches more than 16 times";

const notJudged =
  "not judged, for some blocks stand for the others; `check` runs all of them and judges what they compute";
