import type { FileReader } from "../../../core/ports/files";
import { drawIn, readIfShown } from "../sources/draw-in";

/** A program's sources besides the one with its main(), with all that they include. */
export interface LinkedSources {
  /** Paths, in the order in which they were needed. */
  readonly besides: readonly string[];
  readonly tree: Readonly<Record<string, string>>;
}

/** A source without main() of the workspace, and the functions and kernels that it defines. */
export interface PlainSource {
  readonly path: string;
  readonly text: string;
  readonly defines: readonly string[];
}

const mostLinked = 12;
const mostTree = 400;

/**
 * What has to be linked with a program: sources, those in the folder of the program first, that define what
 * it, or one of them, calls and no included file defines.
 */
export async function linkedSources(
  files: FileReader,
  main: { readonly path: string; readonly text: string },
  sources: readonly PlainSource[],
): Promise<LinkedSources> {
  const places = { root: "", includeFolders: ["include", "src"] };
  const grown = (tree: Readonly<Record<string, string>>): Promise<Record<string, string>> =>
    drawIn(files, tree, places, (sofar) => Object.keys(sofar).length < mostTree);
  let tree = await grown({ [main.path]: main.text });
  const besides: string[] = [];
  for (let next = missing(tree, sources); next !== undefined; next = missing(tree, sources)) {
    if (besides.length === mostLinked) break;
    besides.push(next.path);
    tree = await grown({ ...tree, [next.path]: next.text });
  }
  return { besides, tree };
}

/** The first source that defines what a tree declares, calls and does not define. */
function missing(
  tree: Readonly<Record<string, string>>,
  sources: readonly PlainSource[],
): PlainSource | undefined {
  const texts = Object.values(tree);
  const defined = new Set(texts.flatMap(definedNames));
  const used = new Set(texts.flatMap(usedNames));
  const declared = new Set(texts.flatMap(declaredNames));
  return sources.find(
    ({ path, defines }) =>
      tree[path] === undefined &&
      defines.some((name) => used.has(name) && declared.has(name) && !defined.has(name)),
  );
}

/** Names of the functions and kernels that a source defines. */
export function definedNames(text: string): readonly string[] {
  const definitions = text.matchAll(/\b([A-Za-z_]\w*)\s*\([^;{}]*\)\s*(?:const\s*|noexcept\s*)*\{/g);
  const names = [...definitions].map(([, name = ""]) => name);
  return [...new Set(names)].filter((name) => !statements.has(name));
}

const statements = new Set(["if", "for", "while", "switch", "catch", "main", "__launch_bounds__"]);

/** Names of the functions that a source declares: a type, a name, parameters and a semicolon. */
function declaredNames(text: string): readonly string[] {
  return [...text.matchAll(/[\w>*&]\s+[*&]?([A-Za-z_]\w*)\s*\([^;{}()]*\)\s*;/g)].map(
    ([, name = ""]) => name,
  );
}

function usedNames(text: string): readonly string[] {
  return [...text.matchAll(/\b([A-Za-z_]\w*)\s*(?:<[^;{}()<>]*>\s*)?(?:\(|<<<)/g)].map(
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
