import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Outcome, fail, succeed } from "../../core/base/outcome";
import { OperationalError } from "../../core/base/operational-error";
import { runProcess } from "../process/run-process";
import { CodePlaces } from "./code-places";
import { type BuildIdentity, dependenciesName, programName } from "./program-cache";

export interface BuildOptions extends BuildIdentity {
  /** Folder for the executable and what the compiler leaves. */
  readonly output: string;
  readonly signal: AbortSignal;
}

/** A compiler that takes longer than this hangs. */
const compileLimitMilliseconds = 900_000;
/** What the virtual GPU runs: code of this capability, whatever GPU is modelled. */
const executedCapability = 80;

/**
 * Compiles and links a program against the virtual GPU's runtime. Device code is kept as PTX to run, with line information, and as machine
 * code of the modelled GPU for its facts. It lies in the output folder then. The problem is what the compiler said.
 */
export async function buildProgram(options: BuildOptions): Promise<Outcome<{ readonly warnings: string }, string>> {
  const program = join(options.output, programName);
  const modelled = Number(/\d+/.exec(options.architecture)?.[0] ?? executedCapability);
  const machine = modelled < executedCapability ? `sm_${executedCapability}` : options.architecture;
  const source = await harmlessName(options);
  const result = await runProcess({
    command: options.nvcc,
    arguments: [
      // The options of the user come first, so that a program may add macros, folders and host options but not change what runs.
      "-O2", ...options.compileOptions, "-g", "-lineinfo", "-gencode", `arch=compute_${executedCapability},code=[compute_${executedCapability},${machine}]`, "-Xfatbin", "-compress=false",
      "-cudart", "none", "-MD", "-MF", join(options.output, dependenciesName), "-o", program, source, options.library, "-lpthread", "-ldl",
    ],
    folder: options.folder, signal: options.signal, timeLimitMilliseconds: compileLimitMilliseconds,
  });
  if (result.kind === "timed-out") throw new OperationalError("tool-failed", { forUser: `${options.nvcc} took longer than ${compileLimitMilliseconds / 1000} s for ${resolve(options.folder, options.file)}` });
  if (result.kind === "exited" && result.code === 0) return succeed({ warnings: `${result.output}${result.errors}` });
  const places = new CodePlaces(options.file, options.folder);
  return fail(explainLinking(`${result.output}${result.errors}`, (path) => places.shown(path)));
}

/**
 * The source as nvcc may see it. nvcc hands names to a shell and takes what begins with a dash for an option, so that a name with anything of
 * the kind is never given to it: a file with a plain name includes the one that is meant.
 */
async function harmlessName({ file, folder, output }: BuildOptions): Promise<string> {
  if (!/^-|[$`"\\\n\r]/.test(file)) return file;
  const path = resolve(folder, file);
  if (/["\\\n\r]/.test(path)) throw new OperationalError("usage", { forUser: `${file} cannot be compiled: the name of a program may hold no quotes, no backslashes and no line breaks` });
  const standIn = join(output, "program.cu");
  await writeFile(standIn, `#include "${path}"\n`);
  return standIn;
}

/** Of a linker's complaint about functions that our runtime lacks only what the user can use; everything else as it is. */
export function explainLinking(said: string, shown: (path: string) => string): string {
  if (/undefined reference to [`']main'/.test(said)) return "there is no main(): run takes whole programs, check and profile take kernels\n";
  const lines = said.split("\n");
  const missing = new Map<string, string>();
  for (const line of lines) {
    const name = /undefined reference to [`'](cu[A-Za-z0-9_]+)'/.exec(line)?.[1] ?? /undefined reference to [`'](__cuda[A-Za-z0-9_]+)'/.exec(line)?.[1];
    const [, file = "", number = ""] = /([^\s:]+):(\d+): undefined reference/.exec(line) ?? [];
    if (name !== undefined && (missing.get(name) ?? "") === "") missing.set(name, file === "" ? "" : `${shown(file)}:${number}: `);
  }
  if (missing.size === 0) return said;
  const others = lines.filter((line) => /error|undefined reference/.test(line) && !/undefined reference to [`'](cu|__cuda)|ld returned|collect2/.test(line));
  const told = [...missing].map(([name, place]) => `${place}the virtual GPU's runtime has no ${name}`);
  return `${[...told, ...others].join("\n")}\n`;
}
