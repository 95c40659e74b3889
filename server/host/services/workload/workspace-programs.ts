import type { FileReader } from "../../../core/ports/files";
import { readIfShown } from "../sources/draw-in";
import { definedNames, linkedSources, plainSources } from "./linked-sources";

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
/** Folders between a program and the sources that are linked with it: `test` beside `src`. */
const farthest = 2;

export function hasMain(file: string, text: string): boolean {
  return /\.(?:cu|cpp)$/.test(file) && mainFunction.test(text);
}

/**
 * Programs of the workspace whose sources define or include what a file without main() defines, and use it,
 * the nearest first. Each with the sources that have to be linked with it.
 */
export async function programsAround(
  files: FileReader,
  { file, text }: { readonly file: string; readonly text: string },
): Promise<readonly WorkspaceProgram[]> {
  const defined = definedNames(text);
  if (defined.length === 0) return [];
  const uses = new RegExp(`\\b(?:${defined.join("|")})\\s*(?:<[^;{}()]*>\\s*)?(?:\\(|<<<)`);
  const near = [...(await files.list("", [".cu", ".cpp"]))].sort(
    (a, b) => distance(a, file) - distance(b, file),
  );
  const paths = near.slice(0, mostSources);
  const sources = await plainSources(files, paths, hasMain);
  const found: WorkspaceProgram[] = [];
  for (const path of paths) {
    const main = path === file ? undefined : await readIfShown(files, path);
    if (main === undefined || !hasMain(path, main)) continue;
    const beside = sources.filter((each) => distance(each.path, path) <= farthest);
    const { besides, tree } = await linkedSources(files, { path, text: main }, beside);
    const isUsed = Object.entries(tree).some(([each, content]) => each !== file && uses.test(content));
    if (tree[file] === undefined || !isUsed) continue;
    found.push({ file: path, text: main, compileOptions: besides });
    if (found.length === mostPrograms) break;
  }
  return found;
}

/** Folders that have to be left and entered to get from one file to the other. */
function distance(from: string, to: string): number {
  const [first, second] = [from.split("/").slice(0, -1), to.split("/").slice(0, -1)];
  const apart = first.findIndex((part, index) => part !== second[index]);
  const shared = apart < 0 ? Math.min(first.length, second.length) : apart;
  return first.length + second.length - 2 * shared;
}
