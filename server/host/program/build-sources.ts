import { extname, join } from "node:path";

const compiled = new Set([".cu", ".cpp", ".cc", ".cxx", ".c"]);

export interface BuildWords {
  /** Source files, the program's own first. */
  readonly sources: readonly string[];
  /** What each of them is compiled with. */
  readonly options: readonly string[];
  /** Libraries and objects, which have to stand behind the sources. */
  readonly libraries: readonly string[];
}

/** What the options for nvcc name besides options: more sources, objects and libraries. A runtime of CUDA's own is left out: ours takes its place. */
export function buildWords(file: string, compileOptions: readonly string[]): BuildWords {
  const libraries = compileOptions.filter((word, at) => isLibrary(word) || compileOptions[at - 1] === "-l");
  const sources = compileOptions.filter((word) => !word.startsWith("-") && compiled.has(extname(word)));
  return {
    sources: [file, ...sources],
    options: compileOptions.filter((word) => !libraries.includes(word) && !sources.includes(word)),
    libraries: libraries.filter((word) => !/^-lcudart(_static)?$/.test(word)),
  };
}

/** Files that are linked with the program as they are: a program has to be built anew when one changes. `exists`: whether a path names a file. */
export function linkedFiles(compileOptions: readonly string[], exists: (path: string) => boolean): readonly string[] {
  const { libraries } = buildWords("", compileOptions);
  const folders = compileOptions.filter((word) => /^-L./.test(word)).map((word) => word.slice(2));
  const named = libraries.filter((word) => /^-l./.test(word)).map((word) => word.slice(2));
  const searched = folders.flatMap((folder) => named.flatMap((name) => [".a", ".so"].map((ending) => join(folder, `lib${name}${ending}`))));
  return [...libraries.filter((word) => !word.startsWith("-")), ...searched.filter(exists)];
}

function isLibrary(word: string): boolean {
  return (/^-l/.test(word) && word !== "-lineinfo") || (!word.startsWith("-") && [".o", ".a"].includes(extname(word)));
}
