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
    const { spec, verdict, models, notes } = await services.judge.model(name, { target, signal });
    for (const unknown of spec.unknowns) reportLine(terminal, plain(`spec inferred, not known: ${unknown}`));
    for (const note of notes) reportLine(terminal, plain(note));
    const words = describeVerdict(verdict);
    if (options.json) {
      printLine(terminal, JSON.stringify({ kernel: spec.spec.kernel, file: name.file, verdict, models }));
    } else {
      for (const model of models)
        for (const row of modelRows(model, reportWidth(terminal))) printLine(terminal, plain(row));
      if (models.length === 0) printLine(terminal, notModelled);
      const at = verdict.kind === "correct" ? ` at ${describeSizes(verdict.evidence.sizes)}` : "";
      printLine(terminal, `simulated${at} (docs/model.md), not measured`);
      printLine(terminal, plain(`${spec.spec.kernel}: ${words}`));
    }
    return models.length > 0 ? exitCodes.done : exitCodes.negative;
  } finally {
    await services.dispose();
  }
}

const notModelled =
  "nothing was simulated: the kernel did not run, or host code launches it. A spec that states the launch itself is simulated, and so is a Triton kernel";
