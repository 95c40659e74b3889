import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { OperationalError, toOperational } from "../../core/base/operational-error";
import { defaultBudget } from "../services/defaults";
import { checkCommand, profileCommand } from "./commands/judge";
import { doctorCommand } from "./commands/doctor";
import { exportCommand, sessionsCommand } from "./commands/sessions";
import { runCommand, type RunOptions } from "./commands/run";
import { optimizeCommand, resumeCommand } from "./commands/optimize";
import { type CommandContext, type ServiceOptions, readNumber } from "./command-context";
import { compilerWords } from "./compiler-words";
import { exitCodeOfError, exitCodes } from "./exit-codes";
import { architectureWords } from "./profile-report";
import { paint, plain, printLine, reportLine } from "./terminal";
import type { BudgetLimits } from "../../core/trajectory/events";
import type { ExportFormat } from "../services/services";

export interface ProgramOptions {
  readonly version: string;
  /** Runs the language server on the standard streams until its input ends. */
  readonly serveLanguage: () => Promise<number>;
}

interface Flags extends ServiceOptions {
  readonly target?: string;
  readonly strategy: string;
  readonly usd: number;
  readonly minutes: number;
  readonly candidates: number;
  readonly json?: boolean;
  readonly apply?: boolean;
  readonly format: ExportFormat;
  readonly output?: string;
  readonly stdio?: boolean;
  readonly arch?: string;
  readonly details?: boolean;
}

/**
 * Runs one command line; gives the exit code and never throws. Arguments are those after the program's name.
 */
export async function runProgram(
  context: CommandContext,
  argv: readonly string[],
  options: ProgramOptions,
): Promise<number> {
  let code: number = exitCodes.done;
  const program = buildProgram(context, options, (result) => {
    code = result;
  });
  try {
    await program.parseAsync([...compilerWords(argv)], { from: "user" });
    return code;
  } catch (thrown) {
    const json = argv.includes("--json");
    if (!(thrown instanceof CommanderError)) return reportFailure(context, asOperational(thrown), json);
    if (thrown.exitCode === 0) return exitCodes.done;
    // The text for people has been written by the parser already.
    if (json)
      printFailure(
        context,
        new OperationalError("usage", { forUser: thrown.message, remedy: "kernelwright --help" }),
        "failed",
      );
    return exitCodes.usage;
  }
}

function asOperational(thrown: unknown): OperationalError {
  if (!(thrown instanceof RangeError) || !/memory/i.test(thrown.message))
    return toOperational(thrown, "tool-failed");
  return new OperationalError("tool-failed", {
    forUser: `There is too little memory to run kernels (${thrown.message}): a limit on address space stands in the way, or other programs use it all`,
    remedy: "ulimit -v unlimited",
    cause: thrown,
  });
}

function reportFailure(context: CommandContext, error: OperationalError, json: boolean): number {
  const code = context.signal.aborted ? exitCodes.cancelled : exitCodeOfError(error);
  reportLine(context.terminal, `${paint(context.terminal, "red", "error")}: ${plain(error.message)}`);
  if (error.remedy !== undefined) reportLine(context.terminal, plain(`  ${error.remedy}`));
  if (json) printFailure(context, error, code === exitCodes.cancelled ? "cancelled" : "failed");
  return code;
}

/** The last line of `--json` when there is no result. */
function printFailure(
  context: CommandContext,
  error: OperationalError,
  outcome: "failed" | "cancelled",
): void {
  printLine(
    context.terminal,
    JSON.stringify({
      outcome,
      error: { code: error.code, message: error.message, remedy: error.remedy ?? null },
    }),
  );
}

function bounded(flag: string, least: number, most: number): (text: string) => number {
  return (text) => {
    try {
      return readNumber(flag, text, { least, most });
    } catch (thrown) {
      throw new InvalidArgumentError(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
}

function buildProgram(
  context: CommandContext,
  options: ProgramOptions,
  settle: (code: number) => void,
): Command {
  const { terminal } = context;
  const program = new Command("kernelwright")
    .description(
      "A coding agent for GPU kernels: check, profile and optimize CUDA and Triton kernels, with or without a GPU.",
    )
    .version(options.version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.output.write(text),
      writeErr: (text) => void terminal.errors.write(text),
    })
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 no gain or wrong kernel, 2 usage, 3 failed, 4 budget used up, 130 cancelled.",
    );
  const json = (command: Command): Command =>
    command.option("--json", "the last line of the output is one JSON object");
  const machine = (command: Command): Command =>
    json(command)
      .option("--target <target>", "vgpu:sm_80, ssh:HOST or ssh:HOST/sm_90", "vgpu:sm_80")
      .option("--python <path>", "a Python with numpy (and torch and triton for Triton kernels)")
      .option("--nvcc <path>", "the CUDA compiler");

  addOptimize(
    context,
    machine(program.command("optimize").argument("<kernel>", "FILE or FILE::KERNEL")),
    settle,
  );
  addResume(
    context,
    machine(program.command("resume").argument("<session>", "the id that `kernelwright sessions` shows")),
    settle,
  );
  addRun(context, program.command("run"), settle);
  machine(
    program
      .command("check")
      .argument("<kernel>", "FILE or FILE::KERNEL")
      .description("compare a kernel with its reference on every shape"),
  ).action(async (kernel: string, flags: Flags) =>
    settle(await checkCommand(context, kernel, { ...flags, json: flags.json === true })),
  );
  machine(
    program
      .command("profile")
      .argument("<kernel>", "FILE or FILE::KERNEL")
      .description("count events on every source line"),
  )
    .addOption(
      new Option(
        "--arch <architecture>",
        "model the bound for another architecture, or one row for each",
      ).choices(architectureWords()),
    )
    .option("--details", "every counter of each line, one below the other")
    .action(async (kernel: string, flags: Flags) =>
      settle(
        await profileCommand(context, kernel, {
          ...flags,
          json: flags.json === true,
          details: flags.details === true,
        }),
      ),
    );
  json(program.command("sessions").description("list the recorded sessions, newest first")).action(
    async (flags: Flags) => settle(await sessionsCommand(context, { ...flags, json: flags.json === true })),
  );
  json(
    program
      .command("export")
      .argument("[session]", "the newest when left out")
      .description("write a session in another format"),
  )
    .addOption(
      new Option("--format <format>", "the format")
        .choices(["atif-1.8", "atif-1.7", "markdown"])
        .default("atif-1.8"),
    )
    .option("--output <file>", "a file instead of standard output")
    .action(async (session: string | undefined, flags: Flags) =>
      settle(await exportCommand(context, session, { ...flags, json: flags.json === true })),
    );
  json(
    program.command("doctor").description("say what is there, what each absence costs and how to get it"),
  ).action(async (flags: Flags) =>
    settle(await doctorCommand(context, { ...flags, json: flags.json === true })),
  );
  program
    .command("lsp")
    .description("the language server, for any editor")
    .requiredOption("--stdio", "speak over the standard streams")
    .action(async () => settle(await options.serveLanguage()));
  return program;
}

function budgetFlags(command: Command): Command {
  return command
    .option("--usd <amount>", "most US dollars for the model", bounded("--usd", 0, 10_000), defaultBudget.usd)
    .option("--minutes <number>", "most minutes", bounded("--minutes", 0, 10_000), defaultBudget.minutes)
    .option(
      "--candidates <number>",
      "most candidates",
      bounded("--candidates", 0, 100_000),
      defaultBudget.candidates,
    )
    .option("--apply", "write the proposal into the workspace when it is an improvement")
    .option("--model <name>", "the model of the refine strategy")
    .option(
      "--endpoint <url>",
      "an OpenAI-compatible endpoint; the key comes from KERNELWRIGHT_MODEL_KEY (for OpenAI also from OPENAI_API_KEY)",
    );
}

function addOptimize(context: CommandContext, command: Command, settle: (code: number) => void): void {
  budgetFlags(command)
    .description("look for a faster kernel that is still correct")
    .addOption(
      new Option("--strategy <strategy>", "rulebook needs no model")
        .choices(["rulebook", "refine"])
        .default("rulebook"),
    )
    .action(async (kernel: string, flags: Flags) =>
      settle(
        await optimizeCommand(context, kernel, {
          ...flags,
          budget: budgetOf(flags),
          json: flags.json === true,
          apply: flags.apply === true,
        }),
      ),
    );
}

function addRun(context: CommandContext, command: Command, settle: (code: number) => void): void {
  command
    .argument(
      "<program>",
      "a .cu file with main(), which more source files may follow, or a .py file that launches Triton kernels",
    )
    .argument("[arguments...]", "the program's own, after --")
    .description(
      "run a whole program with its kernels on the virtual GPU; the exit code is the program's own",
    )
    .option(
      "--arch <architecture>",
      "the GPU that is modelled: its limits, occupancy and speed (sm_75 to sm_121)",
      "sm_80",
    )
    .option("--sanitize", "report what is wrong, one line each, and exit with 1 if anything is", false)
    .option("--profile", "print counters of every source line and model the times", false)
    .option("--details", "with --profile: every counter of each line", false)
    .option(
      "--launch-budget <count>",
      "warp instructions after which a launch counts as endless",
      bounded("--launch-budget", 1, Number.MAX_SAFE_INTEGER),
      10_000_000_000,
    )
    .option(
      "--compile-option <option>",
      "handed to nvcc; may be repeated; what begins with one dash (-Iinclude, -DN=4) is handed to it as well",
      (value: string, before: readonly string[]) => [...before, value],
      [] as readonly string[],
    )
    .option("--nvcc <path>", "the CUDA compiler")
    .option("--python <path>", "a Python with torch and triton")
    .action(async (file: string, args: readonly string[], flags: RunOptions) =>
      settle(await runCommand(context, file, args, flags)),
    );
}

function addResume(context: CommandContext, command: Command, settle: (code: number) => void): void {
  budgetFlags(command)
    .description("go on with a session that a crash, a limit or you ended; run it in the same folder")
    .action(async (session: string, flags: Flags) =>
      settle(
        await resumeCommand(context, session, {
          ...flags,
          budget: budgetOf(flags),
          json: flags.json === true,
          apply: flags.apply === true,
          workspace: context.terminal.currentFolder,
        }),
      ),
    );
}

function budgetOf(flags: Flags): BudgetLimits {
  return { usd: flags.usd, minutes: flags.minutes, candidates: flags.candidates };
}
