import { last } from "../../../core/base/known";
import { extname, join } from "node:path";
import { isReplaced } from "./gpu-libraries";

const compiled = new Set([".cu", ".cpp", ".cc", ".cxx", ".c"]);
/** The options of nvcc for device code that is to be linked. Ours links it whenever it is. */
const relocating = /^--?(?:(?:rdc|relocatable-device-code)(?:=(?:true|false))?|dc|device-c)$/;

interface BuildWords {
  /** Source files, the program's own first. */
  readonly sources: readonly string[];
  /** What each of them is compiled with. */
  readonly options: readonly string[];
  /** Device code of the sources is linked: functions and variables of one may be used in another. */
  readonly relocatable: boolean;
  /** Libraries and objects, which have to stand behind the sources. */
  readonly libraries: readonly string[];
  /** Libraries of NVIDIA's whose place ours take. */
  readonly replaced: readonly string[];
}

/**
 * What the options for nvcc name besides options: more sources, objects and libraries. A runtime of CUDA's
 * own is left out: ours takes its place.
 */
export function buildWords(file: string, compileOptions: readonly string[]): BuildWords {
  const libraries = compileOptions.filter((word, at) => isLibrary(word) || compileOptions[at - 1] === "-l");
  const sources = compileOptions.filter((word) => !word.startsWith("-") && compiled.has(extname(word)));
  const relocation = compileOptions.filter((word) => relocating.test(word));
  return {
    sources: [file, ...sources],
    options: compileOptions.filter((word) => ![...libraries, ...sources, ...relocation].includes(word)),
    relocatable: relocation.length > 0 && !/=false$/.test(last(relocation)),
    libraries: libraries.filter((word) => !isReplaced(word)),
    replaced: libraries.filter(isReplaced),
  };
}

/** Whether a file is one to compile, by its name. */
export function isSource(file: string): boolean {
  return compiled.has(extname(file));
}

/** Objects and archives among what is linked: they may hold device code. */
export function isObject(word: string): boolean {
  return !word.startsWith("-") && [".o", ".a"].includes(extname(word));
}

/**
 * Files that are linked with the program as they are: a program has to be built anew when one changes.
 * `exists`: whether a path names a file.
 */
export function linkedFiles(
  compileOptions: readonly string[],
  exists: (path: string) => boolean,
): readonly string[] {
  const { libraries } = buildWords("", compileOptions);
  const folders = compileOptions.filter((word) => /^-L./.test(word)).map((word) => word.slice(2));
  const named = libraries.filter((word) => /^-l./.test(word)).map((word) => word.slice(2));
  const searched = folders.flatMap((folder) =>
    named.flatMap((name) => [".a", ".so"].map((ending) => join(folder, `lib${name}${ending}`))),
  );
  return [...libraries.filter((word) => !word.startsWith("-")), ...searched.filter(exists)];
}

function isLibrary(word: string): boolean {
  return (/^-l/.test(word) && word !== "-lineinfo") || isObject(word);
}
