import { normalizePath } from "../base/path-rules";

/** Where a source's own files are searched besides its folder: paths relative to the top of the workspace. */
export interface SearchPlaces {
  /** Of Python modules, and last of all of includes. */
  readonly root: string;
  /** Include folders, in order. */
  readonly includeFolders: readonly string[];
}

/** An `#include` of a source as it is written. */
export interface IncludedName {
  readonly name: string;
  readonly quoted: boolean;
}

export function includedNames(text: string): readonly IncludedName[] {
  return [...text.matchAll(/^[ \t]*#[ \t]*include(?:_next)?[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)/gm)].map(
    ([, quoted, angled]) => ({ name: quoted ?? angled ?? "", quoted: quoted !== undefined }),
  );
}

/** Where an included file may lie in the workspace, in the compiler's order. */
export function includeGuesses(
  path: string,
  { name, quoted }: IncludedName,
  { root, includeFolders }: SearchPlaces,
): readonly string[] {
  const folders = [...(quoted ? [folderOf(path)] : []), ...includeFolders, root];
  return inWorkspace(folders.map((folder) => `${folder}/${name}`));
}

/**
 * Paths that a source file may draw in from its own workspace, as guesses: includes of CUDA, imports of
 * Python modules beside the file or below `root`. Those that do not exist are for the caller to drop. Plain
 * patterns are enough: a path too many costs one look.
 */
export function localReferences(path: string, text: string, places: SearchPlaces): readonly string[] {
  const guesses = path.endsWith(".py")
    ? inWorkspace(moduleGuesses(path, text, places.root))
    : includedNames(text).flatMap((included) => includeGuesses(path, included, places));
  return [...new Set(guesses)].filter((guess) => guess !== path);
}

function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

function inWorkspace(paths: readonly string[]): readonly string[] {
  return paths.map(normalizePath).filter((path) => path !== undefined);
}

function moduleGuesses(path: string, text: string, root: string): readonly string[] {
  const places = { folder: folderOf(path), root };
  const guesses: string[] = [];
  for (const match of text.matchAll(
    /^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import|import[ \t]+()([\w.]+(?:[ \t]*,[ \t]*[\w.]+)*))/gm,
  )) {
    for (const name of (match[2] ?? match[4] ?? "").split(","))
      guesses.push(...moduleFiles(name.trim(), match[1] ?? "", places));
  }
  return guesses;
}

function moduleFiles(
  name: string,
  dots: string,
  places: { readonly folder: string; readonly root: string },
): readonly string[] {
  const inner = name.split(".").join("/");
  const up = dots.length > 1 ? "/..".repeat(dots.length - 1) : "";
  const bases = dots === "" ? [places.folder, places.root] : [`${places.folder}${up}`];
  return bases.flatMap((base) => [`${base}/${inner}.py`, `${base}/${inner}/__init__.py`]);
}
