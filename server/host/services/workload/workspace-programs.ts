import type { FileReader } from "../../../core/ports/files";
import { drawIn, readIfShown } from "../sources/draw-in";

/** A program with the words that its compiler is given besides. */
export interface WorkspaceProgram {
  readonly file: string;
  readonly text: string;
  readonly compileOptions: readonly string[];
}

/** Host code that begins a program. Comments are not looked at: a run without launches says the same. */
const mainFunction = /^[ \t]*(?:int|auto|signed)[ \t\n]+main[ \t]*\(/m;
/** Sources of a workspace that are looked at, and programs that are tried. */
const mostSources = 400;
const mostPrograms = 3;

export function hasMain(file: string, text: string): boolean {
  return /\.(?:cu|cpp)$/.test(file) && mainFunction.test(text);
}

/**
 * Programs of the workspace that call something which a file without main() defines, the nearest first. A
 * source is compiled beside the program's, a header is what the program includes.
 */
export async function programsAround(
  files: FileReader,
  { file, text }: { readonly file: string; readonly text: string },
): Promise<readonly WorkspaceProgram[]> {
  const defined = definedNames(text);
  if (defined.length === 0) return [];
  const uses = new RegExp(`\\b(?:${defined.join("|")})\\s*(?:<[^;{}()]*>\\s*)?(?:\\(|<<<)`);
  const paths = (await files.list("", [".cu", ".cpp"])).filter((path) => path !== file).slice(0, mostSources);
  const found: WorkspaceProgram[] = [];
  for (const path of paths.sort((a, b) => distance(a, file) - distance(b, file))) {
    const main = await readIfShown(files, path);
    if (main === undefined || !hasMain(path, main) || !uses.test(main)) continue;
    const places = { root: "", includeFolders: ["include", "src"] };
    const drawn = await drawIn(
      files,
      { [path]: main },
      places,
      (tree) => Object.keys(tree).length < mostSources,
    );
    const isIncluded = drawn[file] !== undefined;
    if (!isIncluded && !/\.(?:cu|cpp)$/.test(file)) continue;
    found.push({ file: path, text: main, compileOptions: isIncluded ? [] : [file] });
    if (found.length === mostPrograms) break;
  }
  return found;
}

/** Names of the functions and kernels that a source defines. */
function definedNames(text: string): readonly string[] {
  const definitions = text.matchAll(/\b([A-Za-z_]\w*)\s*\([^;{}]*\)\s*(?:const\s*|noexcept\s*)*\{/g);
  const names = [...definitions].map(([, name = ""]) => name);
  return [...new Set(names)].filter((name) => !statements.has(name));
}

const statements = new Set(["if", "for", "while", "switch", "catch", "main", "__launch_bounds__"]);

/** Folders that have to be left and entered to get from one file to the other. */
function distance(from: string, to: string): number {
  const [first, second] = [from.split("/").slice(0, -1), to.split("/").slice(0, -1)];
  const apart = first.findIndex((part, index) => part !== second[index]);
  const shared = apart < 0 ? Math.min(first.length, second.length) : apart;
  return first.length + second.length - 2 * shared;
}
