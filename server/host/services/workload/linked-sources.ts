import type { FileReader } from "../../../core/ports/files";
import { drawIn, readIfShown } from "../sources/draw-in";
import { withoutComments } from "../../../core/language/cuda/kernel-text";

/** Sources besides those that one began with, and all that any of them include. */
export interface LinkedSources {
  /** Paths, in the order in which they were needed. */
  readonly besides: readonly string[];
  readonly tree: Readonly<Record<string, string>>;
}

/** A source without main() of the workspace, and the functions and kernels that it defines. */
interface PlainSource {
  readonly path: string;
  readonly text: string;
  readonly defines: readonly string[];
}

const mostLinked = 12;
const mostTree = 400;

/**
 * What has to be linked with a tree: sources, the first ones first, that define what the tree, or one of
 * them, declares and calls and no file of it defines.
 */
export async function linkedSources(
  files: FileReader,
  start: Readonly<Record<string, string>>,
  sources: readonly PlainSource[],
  includeFolders: readonly string[] = ["include", "src"],
): Promise<LinkedSources> {
  const places = { root: "", includeFolders };
  const grown = (tree: Readonly<Record<string, string>>): Promise<Record<string, string>> =>
    drawIn(files, tree, places, (sofar) => Object.keys(sofar).length < mostTree);
  let tree = await grown(start);
  const besides: string[] = [];
  for (let next = definer(tree, sources); next !== undefined; next = definer(tree, sources)) {
    if (besides.length === mostLinked) break;
    besides.push(next.path);
    tree = await grown({ ...tree, [next.path]: next.text });
  }
  return { besides, tree };
}

/** The first source that defines what a tree misses. */
function definer(
  tree: Readonly<Record<string, string>>,
  sources: readonly PlainSource[],
): PlainSource | undefined {
  const names = missingNames(tree);
  return sources.find(
    ({ path, defines }) => tree[path] === undefined && defines.some((name) => names.has(name)),
  );
}

/** Names of the functions that a tree declares, calls and does not define. */
export function missingNames(tree: Readonly<Record<string, string>>): ReadonlySet<string> {
  const texts = Object.values(tree).map(withoutComments);
  const defined = new Set(texts.flatMap(definedNames));
  const used = new Set(texts.flatMap(usedNames));
  return new Set(texts.flatMap(declaredNames).filter((name) => used.has(name) && !defined.has(name)));
}

/** Names of the functions and kernels that a source defines. */
export function definedNames(text: string): readonly string[] {
  const definitions = withoutComments(text).matchAll(
    /\b([A-Za-z_]\w*)\s*\([^;{}]*\)\s*(?:const\s*|noexcept\s*)*\{/g,
  );
  const names = [...definitions].map(([, name = ""]) => name);
  return [...new Set(names)].filter((name) => !statements.has(name));
}

const statements = new Set(["if", "for", "while", "switch", "catch", "main", "__launch_bounds__"]);

/** A word, a name, parameters and a semicolon. */
const declaration = /(\w+)(?:[\s*&>]+)([A-Za-z_]\w*)\s*\([^;{}()]*\)\s*;/g;

/** Words before a call that look like the type of a declaration. */
const noTypes = new Set(["return", "else", "throw", "new", "delete", "co_return", "do"]);

/** Names of the functions that a source declares. */
function declaredNames(text: string): readonly string[] {
  return [...text.matchAll(declaration)].flatMap(([, type = "", name = ""]) =>
    noTypes.has(type) ? [] : [name],
  );
}

/** Names of what a source calls or launches. */
function usedNames(text: string): readonly string[] {
  const calls = text.replace(declaration, (whole, type: string) => (noTypes.has(type) ? whole : ";"));
  return [...calls.matchAll(/\b([A-Za-z_]\w*)\s*(?:<[^;{}()<>]*>\s*)?(?:\(|<<<)/g)].map(
    ([, name = ""]) => name,
  );
}

/** Sources without main() that are read; the others are left out. */
export async function plainSources(
  files: FileReader,
  paths: readonly string[],
  isProgram: (path: string, text: string) => boolean,
): Promise<readonly PlainSource[]> {
  const found: PlainSource[] = [];
  for (const path of paths) {
    const text = await readIfShown(files, path);
    if (text !== undefined && !isProgram(path, text)) found.push({ path, text, defines: definedNames(text) });
  }
  return found;
}
