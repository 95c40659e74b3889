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
/** In the table: the Python that the program is run by. */
const ownPython = "{python}";
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
    placesOf: (command) =>
      command === ownPython && isMarked
        ? program.slice(0, 1)
        : folders.map((each) => (each === "" ? command : join(each, command))),
  };
  try {
    if (isMarked) await mkdir(own);
    else await writeFile(own, program);
    await chmod(own, 0o755);
    const runs: ToolRun[] = [];
    for (const tool of table) if (tool.only === undefined || isMarked) runs.push(await runTool(bench, tool));
    return runs;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Tool {
  readonly name: string;
  readonly command: string;
  /** Of programs of this kind alone; of all when left out. */
  readonly only?: string;
  /** What its version is asked by; `--version` when left out. */
  readonly version?: readonly string[];
  readonly steps: readonly Step[];
}

interface Step {
  /** The program follows the arguments. */
  readonly program: boolean;
  readonly arguments: readonly string[];
  /** Further arguments where the program marks by itself what is to be looked at. */
  readonly marked?: readonly string[];
  /** What follows the program. */
  readonly behind?: readonly string[];
  /** The file that the tool writes, where it prints nothing. */
  readonly result?: string;
}

const table: readonly Tool[] = tools.tools;

async function runTool(bench: Bench, tool: Tool): Promise<ToolRun> {
  const { name, command } = tool;
  const answer = await started(bench, command, tool.version ?? ["--version"]);
  if (answer === undefined) return { name, text: `${command}: command not found` };
  const said: string[] = [];
  for (const step of tool.steps) {
    const isDone = await runStep(bench, command, step, said);
    if (!isDone) break;
  }
  const lines = answer.output.trim().split("\n");
  const version = lines.find((line) => /version/i.test(line))?.trim();
  return { name, ...(version !== undefined && { version }), text: said.join("\n") };
}

/** Runs a step and adds what the tool said to `said`; whether the next one may follow. */
async function runStep(bench: Bench, command: string, step: Step, said: string[]): Promise<boolean> {
  const log = join(bench.folder, "log");
  await rm(log, { force: true });
  const words = wordsOf(step, bench, log);
  const result = await started(bench, command, words, step.program ? bench.input : undefined);
  const logged = await readFile(log, "utf8").catch(() => "");
  const printed = result?.output ?? "";
  said.push(logged, step.program ? ownWords(printed) : printed);
  // A file that was written is the answer; what the program said beside it is not.
  said.push((await resultOf(step, bench)) ?? result?.errors ?? "");
  if (result?.kind === "timed-out") said.push(`${command} did not end within ${limitMilliseconds / 1000} s`);
  return result?.kind === "exited" && result.code === 0;
}

/** A step's words with its folder and its log. */
function wordsOf(step: Step, { folder, isMarked, program }: Bench, log: string): readonly string[] {
  const marked = isMarked ? (step.marked ?? []) : [];
  const inPlace = (word: string): string => word.replace("{folder}", folder).replace("{log}", log);
  const words = [...step.arguments, ...marked].map(inPlace);
  if (!step.program) return words;
  // A Python that is the command itself is not named again.
  const isCommand = words.length === 0;
  return [...words, ...(isCommand ? program.slice(1) : program), ...(step.behind ?? []).map(inPlace)];
}

/** What the file of a step holds; undefined where it writes none. */
async function resultOf({ result }: Step, { folder }: Bench): Promise<string | undefined> {
  if (result === undefined) return undefined;
  return readFile(result.replace("{folder}", folder), "utf8").catch(() => undefined);
}

/** The tool's lines among what the program writes, whose replies are no text. */
function ownWords(printed: string): string {
  return printed
    .split("\n")
    .filter((line) => line.startsWith("=="))
    .join("\n");
}

/** Runs a tool with what its standard input holds; undefined where there is none. */
async function started(
  { folder, environment, signal, placesOf }: Bench,
  command: string,
  words: readonly string[],
  input?: Uint8Array,
): Promise<RunResult | undefined> {
  for (const place of placesOf(command))
    try {
      return await runProcess({
        ...{ command: place, folder, environment, signal },
        arguments: words,
        timeLimitMilliseconds: limitMilliseconds,
        outputLimitBytes: mostOutputBytes,
        ...(input && { input }),
      });
    } catch (thrown) {
      if (!(thrown instanceof OperationalError) || thrown.code !== "tool-missing") throw thrown;
    }
  return undefined;
}
