import { createHash, type Hash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { OperationalError } from "../../../core/base/operational-error";
import { oneAtATime } from "../../process/one-at-a-time";
import { makePrivateFolder } from "../../process/private-folder";
import { runProcess } from "../../process/run-process";

interface RuntimeLibraryOptions {
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
/** Sources of NVIDIA's libraries, a folder for each; everything else is the runtime. */
const librariesFolder = "libraries";
/** Headers of these libraries as programs include them. */
const headersFolder = "include";

/** Says what is missing when there is no CUDA compiler. */
function missingCompiler(nvcc: string, cause: unknown): OperationalError {
  return new OperationalError("tool-missing", {
    forUser: `there is no CUDA compiler at "${nvcc}": running a .cu file needs nvcc of CUDA 13 (no GPU and no driver). Install the CUDA toolkit, or name nvcc with --nvcc or KERNELWRIGHT_NVCC`,
    remedy: "kernelwright doctor",
    cause,
  });
}

const ofLibraries = new RegExp(`^(?:${librariesFolder}|${headersFolder})/`);
const runtimeTitle = "cudart";

/** The include folder with our headers of NVIDIA's libraries. `sources`: the runtime's. */
export function libraryHeaders(sources: string): string {
  return join(sources, headersFolder);
}

/**
 * Path of the runtime as a library. It is compiled once for each version of its sources and of the compiler.
 */
export async function runtimeLibrary(options: RuntimeLibraryOptions): Promise<string> {
  return await compiledLibrary(options, runtimeTitle, (name) => !ofLibraries.test(name));
}

/** Path of one of NVIDIA's libraries as we have it, compiled like the runtime. `room`: its folder. */
export async function gpuLibrary(options: RuntimeLibraryOptions, room: string): Promise<string> {
  return await compiledLibrary(options, room, (name) => name.startsWith(`${librariesFolder}/${room}/`));
}

/** Stands for the version of all of our libraries and their headers. */
export async function librariesVersion({ sources }: { readonly sources: string }): Promise<string> {
  const names = (await sourceNames(sources)).filter((name) => ofLibraries.test(name));
  return await digestOf(createHash("sha256"), sources, names);
}

async function sourceNames(sources: string): Promise<readonly string[]> {
  const listed = await readdir(sources, { recursive: true });
  return listed
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => /\.(cpp|cu|hpp|h|def)$/.test(name))
    .sort();
}

async function digestOf(digest: Hash, sources: string, names: readonly string[]): Promise<string> {
  for (const name of names) digest.update(`${name}\n`).update(await readFile(join(sources, name)));
  return digest.digest("hex").slice(0, 32);
}

/** The archive of those sources that `belongs` takes. Its folder is named by all that it is made of. */
async function compiledLibrary(
  options: RuntimeLibraryOptions,
  title: string,
  belongs: (name: string) => boolean,
): Promise<string> {
  const version = await compilerVersion(options);
  const own = await sourceNames(options.sources);
  // A library uses the headers of the runtime and of other libraries.
  const headers = /\.(h|hpp)$/;
  const used = own.filter((name) => belongs(name) || (title !== runtimeTitle && headers.test(name)));
  const digest = createHash("sha256").update(JSON.stringify([options.nvcc, version]));
  const folder = join(options.cache, "runtime", await digestOf(digest, options.sources, used));
  const library = join(folder, libraryFile(title));
  if (existsSync(library)) return library;
  await mkdir(dirname(folder), { recursive: true });
  const compiled = used.filter((name) => name.endsWith(".cpp"));
  await oneAtATime(`${folder}.building`, {
    isDone: () => existsSync(library),
    work: () => makeLibrary(options, compiled, library),
    signal: options.signal,
  });
  return library;
}

function libraryFile(title: string): string {
  return `libkernelwright_${title}.a`;
}

/** Compiles the library beside its place and moves it there. */
async function makeLibrary(
  options: RuntimeLibraryOptions,
  names: readonly string[],
  library: string,
): Promise<void> {
  const folder = dirname(library);
  const building = await makePrivateFolder(join(dirname(folder), "new-"));
  try {
    await compileAll(options, names, join(building.path, basename(library)));
    await rename(building.path, folder).catch((thrown: unknown) => {
      // Another run has built the same library meanwhile.
      if (!existsSync(library)) throw thrown;
    });
  } finally {
    await building.remove();
  }
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

/**
 * The sources of a folder are compiled as one text: most of the compiler's work for short sources is to read
 * the same headers.
 */
async function compileAll(
  options: RuntimeLibraryOptions,
  names: readonly string[],
  library: string,
): Promise<void> {
  const rooms = [...new Set(names.map((name) => dirname(name)))];
  const pieces = rooms.map((room) => ({
    path: join(dirname(library), room.replaceAll("/", "-")),
    text: names
      .filter((name) => dirname(name) === room)
      .map((name) => `#include "${name}"\n`)
      .join(""),
  }));
  // The runtime hands bytes on, which gains nothing by what takes its compiler a third longer; the libraries
  // calculate.
  const level = basename(library) === libraryFile(runtimeTitle) ? "-O1" : "-O2";
  const waiting = [...pieces];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await writeFile(`${next.path}.cpp`, next.text);
      await compile(options, [
        "-std=c++17",
        level,
        "-I",
        options.sources,
        "-I",
        libraryHeaders(options.sources),
        "-c",
        `${next.path}.cpp`,
        "-o",
        `${next.path}.o`,
      ]);
    }
  };
  await Promise.all(Array.from({ length: compilersAtOnce }, work));
  await compile(options, ["-lib", ...pieces.map(({ path }) => `${path}.o`), "-o", library]);
  await Promise.all(pieces.flatMap(({ path }) => [rm(`${path}.cpp`), rm(`${path}.o`)]));
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
