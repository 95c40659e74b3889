import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OperationalError } from "../../../../core/base/operational-error";
import type { ToolRun } from "../../../../core/hardware/measurement";
import { type RunResult, runProcess } from "../../../process/run-process";
import tools from "./gpu-tools.json";

/** A program that makes its calls of what it reads from its standard input, and ends with it. */
interface ToolQuestion {
  /** An executable, or words of a command; `ownFolder` stands for a folder that is its own. */
  readonly program: Uint8Array | readonly string[];
  readonly input: readonly Uint8Array[];
  /** For the tools and the program. */
  readonly environment: Readonly<Record<string, string>>;
  /** Folders where the tools are looked for; PATH, and where CUDA puts them, when left out. */
  readonly folders?: readonly string[];
}

/** In a command: a folder that it may write to. */
export const ownFolder = "{folder}";
/** A run of ncu goes over a launch many times. */
const limitMilliseconds = 300_000;
/** Where CUDA's toolkit lies that nobody put elsewhere. */
const usualFolder = "/usr/local/cuda/bin";
/** A page of ncu. */
const mostOutputBytes = 64 * 1024 * 1024;

/** Where the question's files lie, and how the tools are started. */
interface Bench {
  readonly folder: string;
  /** The places of a tool, in which the first that is there is taken. */
  readonly placesOf: (command: string) => readonly string[];
  /** The words that start the program. */
  readonly program: readonly string[];
  /** The program marks by itself what is to be looked at. */
  readonly isMarked: boolean;
  readonly input: Uint8Array;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Runs ncu and compute-sanitizer on a program, one after the other. Throws `cancelled` alone. */
export async function runGpuTools(question: ToolQuestion, signal: AbortSignal): Promise<readonly ToolRun[]> {
  const folder = await mkdtemp(join(tmpdir(), "kernelwright-tools-"));
  const { folders = ["", usualFolder], environment, program } = question;
  const isMarked = !(program instanceof Uint8Array);
  const own = join(folder, "program");
  const bench: Bench = {
    ...{ folder, environment, signal, isMarked, input: Buffer.concat(question.input) },
    program: isMarked ? program.map((word) => (word === ownFolder ? own : word)) : [own],
    placesOf: (command) => folders.map((each) => (each === "" ? command : join(each, command))),
  };
  try {
    if (isMarked) await mkdir(own);
    else await writeFile(own, program);
    await chmod(own, 0o755);
    const runs: ToolRun[] = [];
    for (const tool of tools.tools) runs.push(await runTool(bench, tool));
    return runs;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Tool = (typeof tools.tools)[number];

async function runTool(bench: Bench, { name, command, steps }: Tool): Promise<ToolRun> {
  const version = await started(bench, command, ["--version"], false);
  if (version === undefined) return { name, text: `${command}: command not found` };
  const said = [];
  for (const step of steps) {
    const log = join(bench.folder, "log");
    await rm(log, { force: true });
    const words = wordsOf(step, bench, log);
    const result = await started(bench, command, words, step.program);
    const logged = await readFile(log, "utf8").catch(() => "");
    const printed = result?.output ?? "";
    said.push(logged, step.program ? ownWords(printed) : printed, result?.errors ?? "");
    if (result?.kind === "timed-out")
      said.push(`${command} did not end within ${limitMilliseconds / 1000} s`);
    if (result?.kind !== "exited" || result.code !== 0) break;
  }
  const told = version.output
    .trim()
    .split("\n")
    .find((line) => /version/i.test(line))
    ?.trim();
  return { name, ...(told !== undefined && { version: told }), text: said.join("\n") };
}

/** A step's words with its folder and its log. */
function wordsOf(step: Tool["steps"][number], { folder, isMarked }: Bench, log: string): readonly string[] {
  const marked = isMarked ? step.marked : undefined;
  const words = [...step.arguments, ...(marked ?? [])];
  return words.map((word) => word.replace("{folder}", folder).replace("{log}", log));
}

/** The tool's lines among what the program writes, whose replies are no text. */
function ownWords(printed: string): string {
  return printed
    .split("\n")
    .filter((line) => line.startsWith("=="))
    .join("\n");
}

/** Runs a tool; undefined where there is none. */
async function started(
  bench: Bench,
  command: string,
  words: readonly string[],
  runsProgram: boolean,
): Promise<RunResult | undefined> {
  const { folder, program, input, environment, signal, placesOf } = bench;
  for (const place of placesOf(command))
    try {
      return await runProcess({
        ...{ command: place, folder, environment, signal },
        arguments: runsProgram ? [...words, ...program] : words,
        timeLimitMilliseconds: limitMilliseconds,
        outputLimitBytes: mostOutputBytes,
        ...(runsProgram && { input }),
      });
    } catch (thrown) {
      if (!(thrown instanceof OperationalError) || thrown.code !== "tool-missing") throw thrown;
    }
  return undefined;
}
