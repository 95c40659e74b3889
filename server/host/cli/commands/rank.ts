import { defaultGpu } from "../../../core/timing/gpu-model";
import { resourceWords } from "../../../core/words/names/names";
import { describeNanoseconds, describeShare } from "../../../core/words/quantities";
import { type RankedKernel, rankKernels } from "../../../core/words/ranking";
import type { CommandContext } from "../command-context";
import { exitCodes } from "../exit-codes";
import { requireModelled } from "../modelled";
import { formatTable, plain, printLine, reportLine } from "../terminal";
import type { RunOptions } from "./run";

export interface RankOptions extends Pick<
  RunOptions,
  "arch" | "json" | "launchBudget" | "compileOption" | "nvcc" | "python"
> {
  /** After so many the program is ended, and what it has launched is ranked. */
  readonly seconds?: number;
}

/** A kernel that leaves less than this to gain is not worth a session. */
const worthAWord = 1.01;

/**
 * `rank`: runs a program once and tells which of its kernels are worth optimizing. Gives 1 where none is, and
 * 3 where the program did not run to its end with all kernels.
 */
export async function rankCommand(
  context: CommandContext,
  file: string,
  args: readonly string[],
  options: RankOptions,
): Promise<number> {
  const { terminal, signal } = context;
  const [input, , errors] = terminal.descriptors;
  requireModelled(options.arch);
  const result = await context.openPrograms(options).run({
    file,
    arguments: args,
    folder: terminal.currentFolder,
    architecture: options.arch,
    sanitize: false,
    profile: true,
    launchBudget: options.launchBudget,
    say: (line) => reportLine(terminal, plain(line)),
    compileOptions: options.compileOption,
    environment: terminal.environment,
    // The program's own output makes room for the ranking.
    descriptors: [input, errors, errors],
    keepsWhenEnded: true,
    ...(options.seconds === undefined ? {} : { patience: { seconds: options.seconds, of: "wall" as const } }),
    signal,
  });
  if (result.kind === "did-not-compile") {
    reportLine(terminal, plain(result.text.trimEnd()));
    return exitCodes.failed;
  }
  const problems = result.problems.map(({ file: place, line, message }) => `${place}:${line}: ${message}`);
  for (const problem of problems) reportLine(terminal, plain(problem));
  const isBroken = result.code !== 0 && !result.isCut;
  if (result.isCut) reportLine(terminal, "the program was ended: what it had launched by then is ranked");
  if (isBroken)
    reportLine(terminal, `the program ended with ${result.code}: what it had launched by then is ranked`);
  const ranked = rankKernels(result.kernels, defaultGpu(options.arch));
  if (options.json) printLine(terminal, JSON.stringify({ kernels: ranked, problems, exitCode: result.code }));
  else
    for (const line of rankingLines(ranked, defaultGpu(options.arch).name)) printLine(terminal, plain(line));
  if (isBroken || problems.length > 0) return exitCodes.failed;
  return ranked.some(isWorthIt) ? exitCodes.done : exitCodes.negative;
}

function isWorthIt({ programSpeedup }: RankedKernel): boolean {
  return programSpeedup >= worthAWord;
}

function timeText({ nanoseconds, by }: RankedKernel): string {
  const time = describeNanoseconds(nanoseconds);
  return by === "simulation" ? time : `at least ${time}`;
}

function rankingLines(ranked: readonly RankedKernel[], gpu: string): readonly string[] {
  const [first] = ranked;
  if (first === undefined) return ["no kernel was launched"];
  const rows = ranked.map((each, index) => [
    String(index + 1),
    each.kernel,
    String(each.launches),
    timeText(each),
    describeShare(each.share),
    describeNanoseconds(each.floorNanoseconds),
    resourceWords(each.binding),
    `${each.programSpeedup.toFixed(2)} x`,
  ]);
  const head = ["", "kernel", "launches", "time", "share", "floor", "set by", "all kernels at most"];
  return [
    ...formatTable([head, ...rows]),
    "",
    `times are modelled for ${gpu} (docs/model.md), of kernels alone: what host code takes is not in them`,
    ...(ranked.every(({ by }) => by === "simulation")
      ? []
      : ["at least: a launch could not be simulated, so that the modelled bound stands for its time"]),
    isWorthIt(first)
      ? `begin with: kernelwright optimize ${first.file}::${first.kernel}`
      : "each kernel is at the floor of its work: fewer launches or less work would help, no rewrite of one of them",
  ];
}
