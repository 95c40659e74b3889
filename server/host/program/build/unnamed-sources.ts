import type { Dirent } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { dirname, extname, join, normalize, relative, resolve } from "node:path";
import { systemFile } from "./program-cache";

const headerEndings = new Set([".h", ".hpp", ".cuh", ".hh"]);
const sourceEndings = new Set([".cu", ".cpp", ".cc", ".cxx", ".c"]);
/** Sources beside a program's own that are looked at. */
const mostSources = 100;
const mostFolders = 20;
/** Folders of sources beside those of headers: `src` and `lib` beside `include`. */
const sourceFolders = new Set(["src", "source", "lib", "kernels", "cuda"]);
/** Where a name stands that is not defined there. */
const comments = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
const undefinedNames = [
  // As explainLinking says it of a name that begins as those of CUDA do.
  /the virtual GPU's runtime has no ([A-Za-z_]\w*)$/gm,
  // As explainDeviceLinking says it.
  /^(?:[\w:]*::)?([A-Za-z_]\w*)\b.* is defined in no device code of the file/gm,
  /^(?:[\w:]*::)?([A-Za-z_]\w*)\b.* is used in .* and defined in no file/gm,
];

interface Definer {
  /** Relative to the program's folder. */
  readonly path: string;
  /** What is missing and defined there. */
  readonly names: readonly string[];
}

interface UnnamedSources {
  /** Those that are surely meant: each is the only one with its names, and none has a `main()`. */
  readonly sure: readonly Definer[];
  /** A sentence for each when it is not certain which are meant; empty when there is none. */
  readonly advice: string;
}

/**
 * The sources beside the named ones, in a folder there, or of an included header's name beside it, that
 * define what a linker misses, else those beside included headers and their folders: the program has more
 * sources than were named. `sources` and `included` are relative to `folder`, or absolute.
 */
export async function unnamedSources(
  said: string,
  {
    folder,
    sources,
    included = [],
  }: {
    readonly folder: string;
    readonly sources: readonly string[];
    readonly included?: readonly string[];
  },
): Promise<UnnamedSources> {
  const found = undefinedNames.flatMap((pattern) => [...said.matchAll(pattern)]);
  const linked = [...said.matchAll(/undefined reference to [`'](.+?)'$/gm)];
  const names = [
    ...new Set([
      ...linked.map(([, symbol = ""]) => missingName(symbol)),
      ...found.map(([, name = ""]) => name),
    ]),
  ].filter((name) => name !== "");
  if (names.length === 0) return { sure: [], advice: "" };
  const named = new Set(sources.map((source) => normalize(source)));
  const places = new Set(sources.map((source) => resolve(folder, source)));
  const isNamed = (path: string): boolean => places.has(resolve(folder, path));
  const folders = [...new Set([...named].map((source) => dirname(source)))];
  const beside = (await Promise.all(folders.map((each) => sourcesIn(folder, each)))).flat();
  const near = [...ofHeaders(folder, included), ...beside].filter((path) => !isNamed(path));
  const first = await definersAmong(folder, near, names);
  const present = [...named].filter((path) => existsSync(resolve(folder, path)));
  const own = await definersAmong(folder, present, names);
  const missing = names.filter((name) => ![...first, ...own].some((each) => each.names.includes(name)));
  const seen = new Set(near.map((path) => resolve(folder, path)));
  const far = (missing.length > 0 ? await besideHeaders(folder, included) : []).filter(
    (path) => !isNamed(path) && !seen.has(resolve(folder, path)),
  );
  // So far away another program's own function is none of this one's.
  const further = (await definersAmong(folder, far, missing)).filter(({ isProgram }) => !isProgram);
  const built = await namedByBuilds(folder, [
    ...new Set([...folders, ...folders.map((each) => dirname(each))]),
  ]);
  const definers = ofTheBuild([...first, ...further], ({ path }) => built.has(resolve(folder, path)));
  const defined = definers.flatMap((each) => each.names);
  const isSure = new Set(defined).size === defined.length && definers.every(({ isProgram }) => !isProgram);
  if (isSure) return { sure: definers.map(({ path, names: own }) => ({ path, names: own })), advice: "" };
  const advice = definers.map(
    ({ path, names: own }) =>
      `${own.join(", ")} is defined in ${path}: name that source too, after ${sources.join(" ")}\n`,
  );
  return { sure: [], advice: advice.join("") };
}

/** Files that say of what sources programs are built. */
const buildFiles = ["CMakeLists.txt", "Makefile", "makefile"];

/** The sources that the build files of some folders name, by their absolute paths. */
async function namedByBuilds(top: string, folders: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const place of folders.map((folder) => resolve(top, folder)))
    for (const path of buildFiles.map((name) => join(place, name)).filter((each) => existsSync(each)))
      for (const word of (await readFile(path, "utf8"))
        .replace(/\$\{CMAKE_\w+_DIR\}\//g, "")
        .split(/[\s()"]+/))
        if (sourceEndings.has(extname(word))) found.add(resolve(place, word));
  return found;
}

/** Of two that define the same the one that a build names. */
function ofTheBuild<T extends Definer & { readonly isProgram: boolean }>(
  definers: readonly T[],
  isBuilt: (definer: Definer) => boolean,
): readonly T[] {
  const chosen = definers.filter(isBuilt);
  return definers.flatMap((each) => {
    const elsewhere = chosen
      .filter((other) => other !== each && !isBuilt(each))
      .flatMap(({ names }) => names);
    const names = each.names.filter((name) => !elsewhere.includes(name));
    return names.length === 0 ? [] : [{ ...each, names }];
  });
}

/**
 * The name of what a linker misses, with the class or namespace that it belongs to (`Mesh::size`), without
 * parameters and those of templates.
 */
function missingName(symbol: string): string {
  let text = symbol.replace("(anonymous namespace)::", "");
  while (/<[^<>]*>/.test(text)) text = text.replace(/<[^<>]*>/g, "");
  return /((?:[A-Za-z_]\w*::)?[A-Za-z_]\w*)\s*(?:\[abi:\w+\])?(?:\(|$)/.exec(text)?.[1] ?? "";
}

/** Which of some sources define what is missing; a program is none where another source has the same. */
async function definersAmong(
  folder: string,
  paths: readonly string[],
  names: readonly string[],
): Promise<readonly (Definer & { readonly isProgram: boolean })[]> {
  // A compiler lists headers by absolute paths: a source is one, however it is written.
  const all = new Map(paths.map((path) => [resolve(folder, path), path]));
  const definers: (Definer & { readonly isProgram: boolean })[] = [];
  for (const path of [...all.values()].slice(0, mostSources)) {
    const text = (await readFile(resolve(folder, path), "utf8")).replace(comments, " ");
    const defined = names.filter((name) => definition(name).test(text) && !isOthers(name, text));
    if (defined.length > 0) definers.push({ path, names: defined, isProgram: definition("main").test(text) });
  }
  const plain = new Set(definers.flatMap((each) => (each.isProgram ? [] : each.names)));
  return definers.filter((each) => !each.isProgram || each.names.some((name) => !plain.has(name)));
}

/** Sources in the folders of included headers, and in those of sources beside them. */
async function besideHeaders(folder: string, included: readonly string[]): Promise<readonly string[]> {
  const headers = included.filter((path) => !systemFile.test(path) && headerEndings.has(extname(path)));
  const own = [...new Set(headers.map((path) => dirname(path)))].filter((each) => isWithin(folder, each));
  const above = [...new Set(own.map((each) => dirname(resolve(folder, each))))].filter((each) =>
    isWithin(folder, each),
  );
  const found: string[] = [];
  for (const each of own) found.push(...(await sourcesOf(folder, each)));
  for (const each of above) {
    const entries = await readdir(each, { withFileTypes: true });
    found.push(...sourceFiles(entries, each));
    const inside = entries.filter((entry) => entry.isDirectory() && sourceFolders.has(entry.name));
    for (const { name } of inside) found.push(...(await sourcesOf(folder, join(each, name))));
  }
  return found.map((path) => relative(folder, resolve(folder, path)));
}

function isWithin(folder: string, path: string): boolean {
  return !relative(folder, resolve(folder, path)).startsWith("..");
}

/** Whether a text defines a function of that name for other classes alone. */
function isOthers(member: string, text: string): boolean {
  const [name = "", owner] = member.split("::").reverse();
  if (owner === undefined) return false;
  const owners = [...text.matchAll(new RegExp(`(\\w+)\\s*(?:<[^<>;{}]*>)?\\s*::\\s*${name}\\b`, "g"))];
  return owners.length > 0 && owners.every(([, own]) => own !== owner);
}

/** Matches a text with the function's body, or with the variable at the outermost level. */
function definition(member: string): RegExp {
  const name = member.replace(/^.*::/, "");
  const body = `\\b${name}\\s*\\([^;{}]*\\)\\s*(?:const\\s*)?(?:noexcept\\s*)?\\{`;
  const type = "(?!(?:extern|return|static|typedef|using)\\b)\\w[\\w:<>,*& \\t]*[ \\t*&]";
  const variable = `^${type}${name}[ \\t]*(?:\\[[^\\]]*\\]\\s*)*[=;{]`;
  return new RegExp(`${body}|${variable}`, "m");
}

/** Sources that have the name of an included header and stand beside it. */
function ofHeaders(folder: string, included: readonly string[]): readonly string[] {
  return included
    .filter((path) => !systemFile.test(path) && headerEndings.has(extname(path)))
    .flatMap((path) =>
      [...sourceEndings].map((ending) => normalize(path.slice(0, -extname(path).length) + ending)),
    )
    .filter((path) => existsSync(resolve(folder, path)));
}

/** The sources of a folder, then those of the folders in it. */
async function sourcesIn(top: string, folder: string): Promise<readonly string[]> {
  const entries = await readdir(resolve(top, folder), { withFileTypes: true });
  const below = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."));
  const inside = await Promise.all(
    below.slice(0, mostFolders).map(({ name }) => sourcesOf(top, join(folder, name))),
  );
  return [...sourceFiles(entries, folder), ...inside.flat()];
}

async function sourcesOf(top: string, folder: string): Promise<readonly string[]> {
  return sourceFiles(await readdir(resolve(top, folder), { withFileTypes: true }), folder);
}

function sourceFiles(entries: readonly Dirent[], folder: string): readonly string[] {
  return entries
    .filter((entry) => entry.isFile() && sourceEndings.has(extname(entry.name)))
    .map((entry) => normalize(join(folder, entry.name)))
    .sort();
}
