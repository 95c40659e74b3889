import { Command, Option } from "commander";
import { compiledArchitectures } from "../../core/timing/gpu-model";
import { catalogue } from "../services/catalogue";
import type { CommandContext } from "./command-context";
import { captureCommand, type CaptureOptions } from "./commands/capture";
import { checkCommand, profileCommand } from "./commands/judge";
import { doctorCommand } from "./commands/doctor";
import { optimizeCommand, resumeCommand } from "./commands/optimize";
import { rankCommand, type RankOptions } from "./commands/rank";
import { runCommand, type RunOptions } from "./commands/run";
import { exportCommand, sessionsCommand } from "./commands/sessions";
import { specCommand } from "./commands/spec";
import { declareImport, declareModel } from "./commands/declare-insight";
import {
  bounded,
  budgetFlags,
  budgetOf,
  buildFlags,
  type Flags,
  jsonFlag,
  machineFlags,
  saidLimits,
  strategyFor,
  wholeNumber,
} from "./flags";
import { architectureWords } from "./profile-report";

export interface ProgramOptions {
  readonly version: string;
  /** Runs the language server on the standard streams until its input ends. */
  readonly serveLanguage: () => Promise<number>;
}

/** What a command is declared with. */
interface Declaration {
  readonly context: CommandContext;
  readonly options: ProgramOptions;
  /** Takes the exit code of the command that ran. */
  readonly settle: (code: number) => void;
}

/** One line for each command, in the order of the help. */
const commands: Readonly<Record<string, (command: Command, declaration: Declaration) => void>> = {
  optimize: declareOptimize,
  resume: declareResume,
  run: declareRun,
  rank: declareRank,
  capture: declareCapture,
  check: declareCheck,
  model: declareModel,
  profile: declareProfile,
  import: declareImport,
  spec: declareSpec,
  sessions: declareSessions,
  export: declareExport,
  doctor: declareDoctor,
  lsp: declareLanguageServer,
};

/** The whole command line. Runs nothing until it is parsed. */
export function buildProgram(
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
  for (const [name, declare] of Object.entries(commands))
    declare(program.command(name), { context, options, settle });
  return program;
}

function declareOptimize(command: Command, { context, settle }: Declaration): void {
  const { strategies } = catalogue;
  const free = strategies.filter(({ needsModel }) => !needsModel).map(({ id }) => id);
  budgetFlags(
    buildFlags(
      machineFlags(
        command.argument(
          "<kernel>",
          "FILE::KERNEL, FILE for each of its kernels, SPEC.kernel.json, or command:NAME of kernelwright.json",
        ),
      ),
    ),
  )
    .description("look for a faster kernel that is still correct")
    .addOption(
      new Option("--strategy <strategy>", `how candidates are found; without a model: ${free.join(", ")}`)
        .choices(strategies.map(({ id }) => id))
        .default(strategies[0]?.id),
    )
    .option("--agree", "with command:NAME: the commands of kernelwright.json may be run")
    .option(
      "--from <candidate>",
      "go on from a candidate of an earlier session, whatever became of it: SESSION:c3, or SESSION for its best",
    )
    .action(async (kernel: string, flags: Flags) =>
      settle(
        await optimizeCommand(context, kernel, {
          ...flags,
          strategy: strategyFor(kernel, command, flags),
          agree: flags.agree === true,
          budget: budgetOf(flags),
          json: flags.json === true,
          apply: flags.apply === true,
          reviewed: flags.reviewed === true,
        }),
      ),
    );
}

function declareResume(command: Command, { context, settle }: Declaration): void {
  const flagged = machineFlags(command.argument("<session>", "the id that `kernelwright sessions` shows"));
  budgetFlags(flagged, {})
    .description(
      "go on with a session that a crash, a limit or you ended, within what is left of its own limits (as much again where it ended at them); run it in the same folder",
    )
    .action(async (session: string, flags: Flags) =>
      settle(
        await resumeCommand(context, session, {
          ...flags,
          budget: saidLimits(flags),
          json: flags.json === true,
          apply: flags.apply === true,
          reviewed: flags.reviewed === true,
          workspace: context.terminal.currentFolder,
        }),
      ),
    );
}

/** A program that runs once, and on what. */
function wholeProgram(command: Command): Command {
  const architectures = compiledArchitectures();
  return command
    .argument(
      "<program>",
      "a .cu or .cpp file with main(), which more source files may follow; a .py file that launches kernels; FILE.py::TEST or -m pytest with a file or folder for tests",
    )
    .argument("[arguments...]", "the program's own, after --")
    .option(
      "--arch <architecture>",
      `the GPU that is modelled: its limits, occupancy and speed (${architectures[0]} to ${architectures.at(-1)})`,
      "sm_80",
    )
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
    .option("--json", "print one object as the last line of the output, behind the program's own", false);
}

function declareRun(command: Command, { context, settle }: Declaration): void {
  wholeProgram(command)
    .description(
      "run a whole program with its kernels on the virtual GPU; the exit code is the program's own",
    )
    .option("--sanitize", "report what is wrong, one line each, and exit with 1 if anything is", false)
    .option("--profile", "print counters of every source line and model the times", false)
    .option("--details", "with --profile: every counter of each line", false)
    .option("--cpuprofile <file>", "profile, and write the modelled time of each line as a CPU profile")
    .option(
      "--repeat-limit <count>",
      "equal launches of a loop that are run; further ones that change memory are skipped",
      bounded("--repeat-limit", 1, Number.MAX_SAFE_INTEGER),
    )
    .option(
      "--report-seconds <number>",
      "time for all performance reports of Triton, which leave out sizes beyond it, and half of it for autotuning without a report; 0 runs all (default: 60)",
      bounded("--report-seconds", 0, 86_400),
    )
    .action(async (file: string, args: readonly string[], flags: RunOptions) =>
      settle(await runCommand(context, file, args, flags)),
    );
}

function declareRank(command: Command, { context, settle }: Declaration): void {
  wholeProgram(command)
    .description("run a whole program once and tell which of its kernels are worth optimizing")
    .option(
      "--seconds <number>",
      "end the program then (so does Ctrl-C); what it has launched is ranked",
      bounded("--seconds", 1, 86_400),
    )
    .action(async (file: string, args: readonly string[], flags: RankOptions) =>
      settle(await rankCommand(context, file, args, flags)),
    );
}

function declareCapture(command: Command, { context, settle }: Declaration): void {
  machineFlags(
    command
      .argument("<program>", "a .cu or .cpp file with main(), which more source files may follow")
      .argument("[arguments...]", "the program's own, after --")
      .description("run a program once and write a kernel spec for each kernel that it launches"),
  )
    .option(
      "--compile-option <option>",
      "handed to nvcc; may be repeated; what begins with one dash (-Iinclude, -DN=4) is handed to it as well",
      (value: string, before: readonly string[]) => [...before, value],
      [] as readonly string[],
    )
    .option("--force", "replace kernel specs that stand there already", false)
    .option(
      "--seconds <number>",
      "end the program then; what it has launched counts (so does Ctrl-C), repeated launches are skipped after a fifth of it",
      bounded("--seconds", 1, 86_400),
    )
    .action(async (file: string, args: readonly string[], flags: CaptureFlags) =>
      settle(await captureCommand(context, file, args, { ...flags, json: flags.json === true })),
    );
}

type CaptureFlags = Flags & Pick<CaptureOptions, "force" | "compileOption" | "seconds">;

function declareCheck(command: Command, { context, settle }: Declaration): void {
  buildFlags(
    machineFlags(
      command
        .argument("<kernel>", "FILE::KERNEL, FILE for each of its kernels, or SPEC.kernel.json")
        .description("compare a kernel with its reference on every shape"),
    ),
  )
    .option(
      "--seed <number>",
      "draw the inputs from this seed, so that two checks see the same; else from secret ones, new each time",
      wholeNumber("--seed", 2 ** 32 - 1),
    )
    .action(async (kernel: string, flags: Flags) =>
      settle(await checkCommand(context, kernel, { ...flags, json: flags.json === true })),
    );
}

function declareProfile(command: Command, { context, settle }: Declaration): void {
  buildFlags(
    machineFlags(
      command
        .argument("<kernel>", "FILE, FILE::KERNEL or SPEC.kernel.json")
        .description("count events on every source line"),
    ),
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
}

function declareSpec(command: Command, { context, settle }: Declaration): void {
  machineFlags(
    command
      .argument("<kernel>", "FILE, FILE::KERNEL or SPEC.kernel.json")
      .description("write the kernel spec that a check would use, to be looked at and corrected"),
  )
    .option("--stdout", "print it instead", false)
    .option("--force", "replace a spec file that is there", false)
    .action(async (kernel: string, flags: Flags & { readonly stdout: boolean; readonly force: boolean }) =>
      settle(await specCommand(context, kernel, { ...flags, json: flags.json === true })),
    );
}

function declareSessions(command: Command, { context, settle }: Declaration): void {
  jsonFlag(command.description("list the recorded sessions, newest first")).action(async (flags: Flags) =>
    settle(await sessionsCommand(context, { ...flags, json: flags.json === true })),
  );
}

function declareExport(command: Command, { context, settle }: Declaration): void {
  const { formats } = catalogue;
  jsonFlag(
    command
      .argument("[session]", "the newest when left out")
      .description("write a session in another format"),
  )
    .addOption(
      new Option("--format <format>", "the format")
        .choices(formats.map(({ id }) => id))
        .default(formats[0]?.id),
    )
    .option("--output <file>", "a file instead of standard output")
    .action(async (session: string | undefined, flags: Flags) =>
      settle(await exportCommand(context, session, { ...flags, json: flags.json === true })),
    );
}

function declareDoctor(command: Command, { context, settle }: Declaration): void {
  jsonFlag(command.description("say what is there, what each absence costs and how to get it")).action(
    async (flags: Flags) => settle(await doctorCommand(context, { ...flags, json: flags.json === true })),
  );
}

function declareLanguageServer(command: Command, { options, settle }: Declaration): void {
  command
    .description("the language server, for any editor")
    .requiredOption("--stdio", "speak over the standard streams")
    .action(async () => settle(await options.serveLanguage()));
}
