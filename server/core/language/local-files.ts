import { at, known } from "../base/known";
import { normalizePath } from "../base/path-rules";

/** Where a source's own files are searched besides its folder: paths relative to the top of the workspace. */
export interface SearchPlaces {
  /** Of Python modules, and last of all of includes. */
  readonly root: string;
  /** Include folders, in order. */
  readonly includeFolders: readonly string[];
}

/** An `#include` of a source as it is written. */
interface IncludedName {
  readonly name: string;
  readonly quoted: boolean;
}

export function includedNames(text: string): readonly IncludedName[] {
  return [...text.matchAll(/^[ \t]*#[ \t]*include(?:_next)?[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)/gm)].map(
    ([, quoted, angled]) => ({
      name: known(quoted ?? angled, "the name of an included file"),
      quoted: quoted !== undefined,
    }),
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

/** `from .a.b import c, d` and `import a.b, c`; what is imported from a package may be a module of it. */
const importForms =
  /^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]*(\([^)]*\)|[^\n#;]*)|import[ \t]+([\w.]+(?:[ \t]+as[ \t]+\w+)?(?:[ \t]*,[ \t]*[\w.]+(?:[ \t]+as[ \t]+\w+)?)*))/gm;

/** Folders that hold a project's packages and are none themselves. */
const packageFolders = ["src", "python"];

function moduleGuesses(path: string, text: string, root: string): readonly string[] {
  const folder = folderOf(path);
  const above = [
    folder,
    root,
    ...foldersAbove(folder).flatMap((each) => [each, ...packageFolders.map((name) => `${each}/${name}`)]),
  ];
  return [...text.matchAll(importForms)].flatMap(([, dots = "", from = "", names = "", modules]) => {
    if (modules !== undefined)
      return moduleNames(modules).flatMap((name) => moduleFiles(name.split("."), above));
    const bases = dots === "" ? above : [`${folder}${"/..".repeat(dots.length - 1)}`];
    const parts = from === "" ? [] : from.split(".");
    return [parts, ...moduleNames(names).map((name) => [...parts, name])].flatMap((each) =>
      moduleFiles(each, bases),
    );
  });
}

function foldersAbove(folder: string): readonly string[] {
  if (folder === "") return [""];
  const above = folderOf(folder);
  return [above, ...(above === "" ? [] : foldersAbove(above))];
}

function moduleNames(list: string): readonly string[] {
  return list
    .replace(/[()]|#[^\n]*/g, " ")
    .split(",")
    .map((each) => at(each.trim().split(/[ \t\n]+/), 0))
    .filter((each) => each !== "" && each !== "*");
}

function moduleFiles(parts: readonly string[], bases: readonly string[]): readonly string[] {
  const inner = parts.map((part) => `/${part}`).join("");
  return bases.flatMap((base) =>
    inner === "" ? [`${base}/__init__.py`] : [`${base}${inner}.py`, `${base}${inner}/__init__.py`],
  );
}
