import { describeFailure, describeFinding, describeSizes, describeVerdict } from "../../../core/kernel/describe";
import type { Verdict } from "../../../core/kernel/verdict";
import { type CommandContext, type ServiceOptions, readKernelName, readTarget } from "../command-context";
import { profileRows } from "../counter-report";
import { exitCodes } from "../exit-codes";
import { formatTable, paint, plain, printLine, reportLine } from "../terminal";

export interface JudgeOptions extends ServiceOptions {
  readonly target?: string;
  readonly json: boolean;
}

/** `check`: the kernel as it is on disk against its reference, every shape, fresh secret seeds. */
export async function checkCommand(context: CommandContext, kernel: string, options: JudgeOptions): Promise<number> {
  return judge(context, kernel, options, (verdict) => {
    const cases = verdict.kind === "correct" || verdict.kind === "wrong" ? verdict.cases : [];
    for (const checked of cases) {
      const mark = checked.passed ? paint(context.terminal, "green", "passed") : paint(context.terminal, "red", "wrong ");
      printLine(context.terminal, `${mark}  ${describeSizes(checked.shape.sizes)}${checked.shape.heldOut === true ? " (held out)" : ""}${checked.passed ? "" : `  ${plain(describeFailure(checked) ?? "")}`}`);
      for (const finding of checked.findings) printLine(context.terminal, `        ${plain(describeFinding(finding))}`);
    }
  });
}

/** `profile`: the counters of every source line on the first visible shape. */
export async function profileCommand(context: CommandContext, kernel: string, options: JudgeOptions): Promise<number> {
  return judge(context, kernel, options, (verdict) => {
    if (verdict.kind !== "correct") return;
    for (const row of formatTable(profileRows(verdict.counters, verdict.facts))) printLine(context.terminal, plain(row));
    for (const fact of verdict.facts) {
      printLine(context.terminal, `${fact.kernel} ${fact.architecture}: ${fact.registers} registers, ${fact.spillStoreBytes + fact.spillLoadBytes} bytes spilled, ${fact.sharedBytes} bytes of static shared memory`);
    }
    printLine(context.terminal, `executed warp instructions, sectors and wavefronts were counted by the virtual GPU at ${describeSizes(verdict.evidence.sizes)}`);
    printLine(context.terminal, "SASS instructions and their least stall cycles stand in the cubin, each counted once however often it runs");
  });
}

async function judge(context: CommandContext, kernel: string, options: JudgeOptions, print: (verdict: Verdict) => void): Promise<number> {
  const named = readKernelName(kernel, context.terminal.currentFolder);
  const target = readTarget(options.target);
  const services = await context.openServices(named.workspaceFolder, options);
  try {
    const { spec, verdict } = await services.judge.check(named.name, { target, signal: context.signal });
    for (const unknown of spec.unknowns) reportLine(context.terminal, plain(`spec inferred, not known: ${unknown}`));
    if (options.json) printLine(context.terminal, JSON.stringify({ kernel: spec.spec.kernel, file: named.name.file, spec: spec.inferred ? null : spec.specPath, verdict }));
    else {
      print(verdict);
      printLine(context.terminal, plain(`${spec.spec.kernel}: ${describeVerdict(verdict)}`));
    }
    return verdict.kind === "correct" ? exitCodes.done : exitCodes.negative;
  } finally {
    await services.dispose();
  }
}
