import { at } from "../../../core/base/known";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import {
  mayUseSpecialFunctions,
  missesSpecialFunctions,
  plainMathHeader,
} from "../../../core/base/compiling/special-functions";
import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import { OperationalError } from "../../../core/base/operational-error";
import { executedName } from "../../../core/timing/gpu-model";
import { runProcess } from "../../process/run-process";
import { buildWords, isObject } from "./build-sources";
import { CodePlaces } from "./code-places";
import { explainDeviceLinking, namingSources } from "./device-linking";
import { explainLibraries, neededRooms } from "./gpu-libraries";
import { openedLibraries } from "./opened-libraries";
import { remedyFor } from "./remedies";
import {
  type BuildIdentity,
  dependenciesName,
  includedFiles,
  programName,
  systemFile,
} from "./program-cache";

interface BuildOptions extends BuildIdentity {
  /** Folder for the executable and what the compiler leaves. */
  readonly output: string;
  /** The include folder with our headers of NVIDIA's libraries. */
  readonly headers: string;
  /** Path of one of our libraries. */
  readonly libraryOf: (room: string) => Promise<string>;
  readonly signal: AbortSignal;
}

/** A compiler that takes longer than this hangs. */
const compileLimitMilliseconds = 900_000;

/** Each remedy may show what else is missing. */
const mostRemedies = 6;

/**
 * Compiles and links a program as `build` does. What it needs beyond what was named is added where that is
 * certain (see remedies.ts), and the warnings say so.
 */
export async function buildProgram(options: BuildOptions): Promise<Built> {
  let tried = options;
  let notes = "";
  for (let count = 0; ; count += 1) {
    const built = await buildWithPlainMath(tried);
    if (built.ok) return succeed({ warnings: notes + built.value.warnings });
    const remedy = await remedyFor({
      ...tried,
      said: built.problem,
      included: await includedFiles(options.output),
    });
    const { architecture = tried.architecture } = remedy;
    const isNothing = remedy.words.length === 0 && architecture === tried.architecture;
    if (isNothing || count === mostRemedies) return fail(notes + built.problem + remedy.advice);
    tried = { ...tried, architecture, compileOptions: [...tried.compileOptions, ...remedy.words] };
    notes += remedy.notes.map((note) => `kernelwright: ${note}\n`).join("");
  }
}

/** In the output folder. */
const frontFolder = "front";

/**
 * Builds without the special functions of <cmath> where no file of the program asks for them, and with them
 * where one does after all: which files it includes is known when it has been built.
 */
async function buildWithPlainMath(options: BuildOptions): Promise<Built> {
  const { folder, output } = options;
  const { sources } = buildWords(options.file, options.compileOptions);
  if (mayUseSpecialFunctions(await textsOf(folder, sources))) return await build(options, []);
  const front = join(output, frontFolder);
  const header = join(front, plainMathHeader.path);
  await mkdir(dirname(header), { recursive: true });
  await writeFile(header, plainMathHeader.text);
  const built = await build(options, ["-I", front]);
  const own = (await includedFiles(output)).filter((path) => !systemFile.test(path));
  const isMissed = built.ok
    ? mayUseSpecialFunctions(await textsOf(folder, own))
    : missesSpecialFunctions(built.problem);
  return isMissed ? await build(options, []) : built;
}

/** What stands in files; one that cannot be read is the compiler's to tell of. */
async function textsOf(folder: string, paths: readonly string[]): Promise<readonly string[]> {
  return await Promise.all(
    [...new Set(paths)].map((path) => readFile(resolve(folder, path), "utf8").catch(() => "")),
  );
}

type Built = Outcome<{ readonly warnings: string }, string>;

/**
 * Compiles and links a program against the virtual GPU's runtime. Device code is kept as PTX to run, with
 * line information, and as machine code of the modelled GPU for its facts. It lies in the output folder then.
 * The problem is what the compiler said. `first`: options before those of the user.
 */
async function build(options: BuildOptions, first: readonly string[]): Promise<Built> {
  const {
    sources: named,
    options: own,
    libraries,
    replaced,
    relocatable,
  } = buildWords(options.file, options.compileOptions);
  const sources = await Promise.all(named.map((source, index) => harmlessName(options, source, index)));
  // The options of the user come first, so that a program may add macros, folders and host options but not
  // change what runs.
  const code = executedName(options.architecture);
  const device = [
    ...first,
    ...(own.some((word) => word.startsWith("-O")) ? [] : ["-O2"]),
    ...own,
    // Behind the folders of the user and of the toolkit.
    "-isystem",
    options.headers,
    // Places in host code need its line table alone. All that `-g` adds took a seventh of a build.
    "-Xcompiler",
    "-g1",
    "-lineinfo",
    "-gencode",
    `arch=compute_${code},code=[compute_${code},sm_${code}]`,
    "-Xfatbin",
    "-compress=false",
  ];
  const list = (index: number): readonly string[] => [
    "-MD",
    "-MF",
    join(options.output, `${index}.${dependenciesName}`),
  ];
  const linksDevice = relocatable || libraries.some(isObject);
  const objects = sources.map((_, index) => objectOf(options, index));
  // nvcc writes the list of files of one source at a time.
  const compiled = await inOrder(
    options,
    sources.map((source, index) => [
      ...device,
      ...list(index),
      ...(relocatable ? ["-rdc=true"] : []),
      "-c",
      "-o",
      at(objects, index),
      source,
    ]),
  );
  if (!compiled.ok) return compiled;
  const linked = await link(options, { device, objects, libraries, replaced, linksDevice });
  if (!linked.ok) return linked;
  return succeed({ warnings: compiled.value.warnings + linked.value.warnings });
}

interface LinkedParts {
  /** Options for device code. */
  readonly device: readonly string[];
  readonly objects: readonly string[];
  readonly libraries: readonly string[];
  readonly replaced: readonly string[];
  readonly linksDevice: boolean;
}

/** Links the objects with the runtime and with those of our libraries that the sources need. */
async function link(
  options: BuildOptions,
  { device, objects, libraries, replaced, linksDevice }: LinkedParts,
): Promise<Built> {
  const deviceObject = join(options.output, "link.o");
  // The toolkit's linker checks the names and makes the machine code of the whole. What runs is linked by the
  // virtual GPU, from the same objects.
  const joined = linksDevice
    ? [[...device, "-dlink", "-cudadevrt", "none", "-o", deviceObject, ...objects, ...libraries]]
    : [];
  const files = await includedFiles(options.output);
  const opened = await openedLibraries(
    files.map((file) => resolve(options.folder, file)),
    options,
  );
  const rooms = neededRooms(files, replaced).filter((room) => !opened.rooms.includes(room));
  const ours = await Promise.all(rooms.map(options.libraryOf));
  return await inOrder(options, [
    ...joined,
    [
      ...device,
      "-nodlink",
      ...["-cudart", "none", "-o", join(options.output, programName)],
      ...objects,
      ...(linksDevice ? [deviceObject] : []),
      ...opened.words,
      ...libraries,
      ...ours,
      options.library,
      "-lpthread",
      "-ldl",
    ],
  ]);
}

function objectOf({ output }: BuildOptions, index: number): string {
  return join(output, `${index}.o`);
}

/** Runs the compiler with each of these lists of arguments, up to the first failure. */
async function inOrder(options: BuildOptions, steps: readonly (readonly string[])[]): Promise<Built> {
  let warnings = "";
  for (const step of steps) {
    const done = await compile(options, step);
    if (!done.ok) return done;
    warnings += done.value.warnings;
  }
  return succeed({ warnings });
}

async function compile(options: BuildOptions, args: readonly string[]): Promise<Built> {
  const result = await runProcess({
    command: options.nvcc,
    arguments: args,
    folder: options.folder,
    signal: options.signal,
    timeLimitMilliseconds: compileLimitMilliseconds,
  });
  if (result.kind === "timed-out")
    throw new OperationalError("tool-failed", {
      forUser: `${options.nvcc} took longer than ${compileLimitMilliseconds / 1000} s for ${resolve(options.folder, options.file)}`,
    });
  const { sources } = buildWords(options.file, options.compileOptions);
  const said = namingSources(
    `${result.output}${result.errors}`,
    sources.map((_, index) => objectOf(options, index)),
    sources,
  );
  if (result.kind === "exited" && result.code === 0) return succeed({ warnings: said });
  const places = new CodePlaces(options);
  const shown = (path: string): string => places.shown(path);
  return fail(explainLibraries(said, shown) ?? explainLinking(explainDeviceLinking(said), shown));
}

/**
 * The source as nvcc may see it. nvcc hands names to a shell and takes what begins with a dash for an option,
 * so that a name with anything of the kind is never given to it: a file with a plain name includes the one
 * that is meant.
 */
async function harmlessName(
  { folder, output }: BuildOptions,
  source: string,
  index: number,
): Promise<string> {
  if (!/^-|[$`"\\\n\r]/.test(source)) return source;
  const path = resolve(folder, source);
  if (/["\\\n\r]/.test(path))
    throw new OperationalError("usage", {
      forUser: `${source} cannot be compiled: the name of a program may hold no quotes, no backslashes and no line breaks`,
    });
  const standIn = join(output, `${index}${extname(source)}`);
  await writeFile(standIn, `#include "${path}"\n`);
  return standIn;
}

/**
 * Of a linker's complaint about functions that our runtime lacks only what the user can use; everything else
 * as it is.
 */
export function explainLinking(said: string, shown: (path: string) => string): string {
  if (/undefined reference to [`']main'/.test(said))
    return "there is no main(): run takes whole programs, check and profile take kernels\n";
  if (/__cudaRegisterLinkedBinary/.test(said))
    return "a library holds device code that is to be linked: name the library's file, or give -rdc=true\n";
  const lines = said.split("\n");
  const missing = new Map<string, string>();
  for (const line of lines) {
    const name =
      /undefined reference to [`'](cu[A-Za-z0-9_]+)'/.exec(line)?.[1] ??
      /undefined reference to [`'](__cuda[A-Za-z0-9_]+)'/.exec(line)?.[1];
    const [, file = "", number = ""] = /([^\s:]+):(\d+): undefined reference/.exec(line) ?? [];
    if (name !== undefined && (missing.get(name) ?? "") === "")
      missing.set(name, file === "" ? "" : `${shown(file)}:${number}: `);
  }
  if (missing.size === 0) return said;
  const others = lines.filter(
    (line) =>
      /error|undefined reference/.test(line) &&
      !/undefined reference to [`'](cu|__cuda)|ld returned|collect2/.test(line),
  );
  const told = [...missing].map(([name, place]) => `${place}the virtual GPU's runtime has no ${name}`);
  return `${[...told, ...others].join("\n")}\n`;
}
