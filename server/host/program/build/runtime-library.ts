import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { OperationalError } from "../../../core/base/operational-error";
import { makePrivateFolder } from "../../process/private-folder";
import { runProcess } from "../../process/run-process";

export interface RuntimeLibraryOptions {
  /** The compiler: a path or a name on PATH. */
  readonly nvcc: string;
  /** Folder with the runtime's sources. */
  readonly sources: string;
  /** Folder of the product's caches. */
  readonly cache: string;
  readonly signal: AbortSignal;
}

/** The runtime is a few dozen small files; a compiler that takes longer hangs. */
const compileLimitMilliseconds = 300_000;
const compilersAtOnce = 2;
const libraryName = "libkernelwright_cudart.a";

/** Says what is missing when there is no CUDA compiler. */
function missingCompiler(nvcc: string, cause: unknown): OperationalError {
  return new OperationalError("tool-missing", {
    forUser: `there is no CUDA compiler at "${nvcc}": running a .cu file needs nvcc of CUDA 13 (no GPU and no driver). Install the CUDA toolkit, or name nvcc with --nvcc or KERNELWRIGHT_NVCC`,
    remedy: "kernelwright doctor",
    cause,
  });
}

/**
 * Path of the runtime as a library. It is compiled once for each version of its sources and of the compiler.
 */
export async function runtimeLibrary(options: RuntimeLibraryOptions): Promise<string> {
  const version = await compilerVersion(options);
  const listed = await readdir(options.sources, { recursive: true });
  const names = listed.filter((name) => /\.(cpp|hpp|def)$/.test(name)).sort();
  const digest = createHash("sha256").update(JSON.stringify([options.nvcc, version]));
  for (const name of names) digest.update(`${name}\n`).update(await readFile(join(options.sources, name)));
  const folder = join(options.cache, "runtime", digest.digest("hex").slice(0, 32));
  const library = join(folder, libraryName);
  if (existsSync(library)) return library;
  await mkdir(join(options.cache, "runtime"), { recursive: true });
  const building = await makePrivateFolder(join(options.cache, "runtime", "new-"));
  try {
    await compileAll(
      options,
      names.filter((name) => name.endsWith(".cpp")),
      building.path,
    );
    await rename(building.path, folder).catch((thrown: unknown) => {
      // Another run has built the same library meanwhile.
      if (!existsSync(library)) throw thrown;
    });
  } finally {
    await building.remove();
  }
  return library;
}

async function compilerVersion({ nvcc, signal }: RuntimeLibraryOptions): Promise<string> {
  try {
    const asked = await runProcess({
      command: nvcc,
      arguments: ["--version"],
      signal,
      timeLimitMilliseconds: compileLimitMilliseconds,
    });
    return asked.output;
  } catch (thrown) {
    if (thrown instanceof OperationalError && thrown.code === "tool-missing")
      throw missingCompiler(nvcc, thrown);
    throw thrown;
  }
}

async function compileAll(
  options: RuntimeLibraryOptions,
  names: readonly string[],
  building: string,
): Promise<void> {
  const pieces = names.map((name) => ({
    source: join(options.sources, name),
    object: join(building, `${name.replaceAll(/[/\\]/g, "-")}.o`),
  }));
  const waiting = [...pieces];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await compile(options, [
        "-std=c++17",
        "-O2",
        "-I",
        options.sources,
        "-c",
        next.source,
        "-o",
        next.object,
      ]);
  };
  await Promise.all(Array.from({ length: compilersAtOnce }, work));
  const objects = pieces.map(({ object }) => object);
  await compile(options, ["-lib", ...objects, "-o", join(building, libraryName)]);
  await Promise.all(objects.map((object) => rm(object)));
}

async function compile({ nvcc, signal }: RuntimeLibraryOptions, args: readonly string[]): Promise<void> {
  const result = await runProcess({
    command: nvcc,
    arguments: args,
    signal,
    timeLimitMilliseconds: compileLimitMilliseconds,
  });
  if (result.kind === "exited" && result.code === 0) return;
  const said = `${result.output}${result.errors}`.trim();
  throw new OperationalError("tool-failed", {
    forUser: `the virtual GPU's CUDA runtime could not be compiled by ${nvcc} (CUDA 13 and a C++17 host compiler are needed):\n${said}`,
  });
}
