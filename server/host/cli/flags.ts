import { type Command, InvalidArgumentError } from "commander";
import type { BudgetLimits } from "../../core/trajectory/events";
import { known } from "../../core/base/known";
import { catalogue, describeRoles } from "../services/catalogue";
import { defaultBudget } from "../services/defaults";
import { type ServiceOptions, readNumber } from "./command-context";

/** What commander reads into one object; a command sees those that it declares. */
export interface Flags extends ServiceOptions {
  readonly target?: string;
  readonly strategy: string;
  readonly usd: number;
  readonly minutes: number;
  readonly candidates: number;
  readonly tokens?: number;
  readonly gpuMinutes?: number;
  readonly json?: boolean;
  readonly apply?: boolean;
  readonly reviewed?: boolean;
  readonly agree?: boolean;
  readonly from?: string;
  readonly message: readonly string[];
  readonly format: string;
  readonly output?: string;
  readonly stdio?: boolean;
  readonly arch?: string;
  readonly details?: boolean;
}

export function jsonFlag(command: Command): Command {
  return command.option("--json", "the last line of the output is one JSON object");
}

/** Where kernels are compiled and run. */
export function machineFlags(command: Command): Command {
  return jsonFlag(command)
    .option(
      "--target <target>",
      "vgpu:sm_80, gpu:0, ssh:HOST, ssh:HOST/sm_90 or ssh:HOST/gpu:0",
      "vgpu:sm_80",
    )
    .option("--python <path>", "a Python with numpy (and torch and triton for Triton kernels)")
    .option("--gpu-python <path>", "for Triton kernels on gpu:0: a Python with triton and torch for CUDA")
    .option("--nvcc <path>", "the CUDA compiler")
    .option(
      "--exclude <pattern>",
      "never read such files, besides those that may hold keys; may be repeated",
      (value: string, before: readonly string[]) => [...before, value],
      [] as readonly string[],
    )
    .option(
      "--without-walls",
      "run candidates even where they cannot be walled off: they can then read and change your files",
    );
}

/** What CUDA sources are compiled with, besides what the workspace says. */
export function buildFlags(command: Command): Command {
  const several = (value: string, before: readonly string[]): readonly string[] => [...before, value];
  return command
    .option("-I, --include <folder>", "search it for included files; may be repeated", several, [])
    .option("-D, --define <macro>", "NAME or NAME=VALUE; may be repeated", several, [])
    .option(
      "--nvcc-flag <flag>",
      "another option for nvcc, as --nvcc-flag=--use_fast_math; may be repeated",
      several,
      [],
    );
}

/** What a session may use in all. `usual`: what it may where nothing is said. */
function limitFlags(command: Command, usual: Partial<BudgetLimits>): Command {
  return command
    .option("--usd <amount>", "most US dollars for the model", bounded("--usd", 0, 10_000), usual.usd)
    .option(
      "--minutes <number>",
      "most minutes, without those that the model thinks",
      bounded("--minutes", 0, 10_000),
      usual.minutes,
    )
    .option("--candidates <number>", "most candidates", atLeastOne("--candidates", 100_000), usual.candidates)
    .option(
      "--tokens <number>",
      "most tokens that models read and write, cached ones and hidden reasoning among them",
      bounded("--tokens", 1, 1e12),
    )
    .option(
      "--gpu-minutes <number>",
      "most minutes for which a real GPU is held (targets gpu:N and ssh:HOST/gpu:N)",
      bounded("--gpu-minutes", 0.01, 10_000),
    );
}

/** What a session may cost, and the model that it may ask. */
export function budgetFlags(command: Command, usual: Partial<BudgetLimits> = defaultBudget): Command {
  return limitFlags(command, usual)
    .option(
      "--message <text>",
      "something for the model to heed: a constraint, a hint; may be repeated (refine, search)",
      (value: string, before: readonly string[]): readonly string[] => [...before, value],
      [],
    )
    .option("--apply", "write the proposal into the workspace when it is an improvement")
    .option("--reviewed", "with --apply: also write a proposal that needs a review, as you have looked at it")
    .option("--model <name>", "the model of the strategies refine and search")
    .option(
      "--endpoint <url>",
      "an OpenAI-compatible endpoint; the key comes from KERNELWRIGHT_MODEL_KEY (for OpenAI also from OPENAI_API_KEY)",
    )
    .option(
      "--model-options <options>",
      'how the model is asked, as "effort=high temperature=0.6 output=32768 context=200000 silence=30 parallel=2 api=responses" (tokens, minutes, questions at once)',
    )
    .option(
      "--role <role=model>",
      `a model of its own, at the same endpoint, for a role beside that of the coder: ${describeRoles()}; may be repeated (docs/agent.md)`,
      (value: string, before: readonly string[]): readonly string[] => [...before, value],
      [],
    )
    .option(
      "--tool-servers <file>",
      "a file that names MCP servers, whose tools the model may call besides ours (docs/agent.md)",
    );
}

export function budgetOf(flags: Flags): BudgetLimits {
  return { ...defaultBudget, ...saidLimits(flags) };
}

/** The limits that were said, of flags that have no usual ones. */
export function saidLimits(flags: Partial<Flags>): Partial<BudgetLimits> {
  const { usd, minutes, candidates, tokens, gpuMinutes } = flags;
  const said = Object.entries({ usd, minutes, candidates, tokens, gpuMinutes });
  return Object.fromEntries(said.filter(([, limit]) => limit !== undefined));
}

/** Reads a number from `least` to `most`; anything else is a usage error that names the flag. */
export function bounded(flag: string, least: number, most: number): (text: string) => number {
  return (text) => {
    try {
      return readNumber(flag, text, { least, most });
    } catch (thrown) {
      throw new InvalidArgumentError(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
}

/** The same for a whole number from 0. */
export function wholeNumber(flag: string, most: number): (text: string) => number {
  return (text) => {
    const value = bounded(flag, 0, most)(text);
    if (Number.isInteger(value)) return value;
    throw new InvalidArgumentError(`${flag} ${text}: expected a whole number from 0 to ${most}`);
  };
}

/** The same for a whole number from 1. */
function atLeastOne(flag: string, most: number): (text: string) => number {
  return (text) => {
    const value = bounded(flag, 1, most)(text);
    if (Number.isInteger(value)) return value;
    throw new InvalidArgumentError(`${flag} ${text}: expected a whole number from 1 to ${most}`);
  };
}

/**
 * Where no strategy was named: one that needs no kernel for a target with a command, and one that asks the
 * model where the user names one.
 */
export function strategyFor(kernel: string, command: Command, { strategy, model }: Flags): string {
  const isNamed = command.getOptionValueSource("strategy") !== "default";
  const isCommand = kernel.startsWith("command:");
  if (isNamed || (!isCommand && model === undefined)) return strategy;
  return known(
    catalogue.strategies.find((each) => (isCommand ? each.forCommands : each.needsModel)),
    "a strategy that asks a model",
  ).id;
}
