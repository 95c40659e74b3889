import type { FileReader } from "../../../core/ports/files";
import { readIfShown } from "../sources/draw-in";
import { definedNames, linkedSources, plainSources } from "./linked-sources";
import { areNear, sourcesByDistance } from "./near-sources";

/** A program with the words that its compiler is given besides. */
export interface WorkspaceProgram {
  readonly file: string;
  readonly text: string;
  readonly compileOptions: readonly string[];
}

/** Host code that begins a program. Comments are not looked at: a run without launches says the same. */
const mainFunction = /^[ \t]*(?:int|auto|signed)[ \t\n]+main[ \t]*\(/m;
/** Programs that are tried. */
const mostPrograms = 3;

export function hasMain(file: string, text: string): boolean {
  return /\.(?:cu|cpp)$/.test(file) && mainFunction.test(text);
}

/**
 * A program's own text, all that it includes, and the sources near it that are linked with it; nothing of a
 * file that is no program.
 */
export async function sourcesOfProgram(
  files: FileReader,
  { file, text }: { readonly file: string; readonly text: string },
): Promise<Readonly<Record<string, string>>> {
  if (!hasMain(file, text)) return {};
  const near = (await sourcesByDistance(files, file)).filter((path) => path !== file && areNear(path, file));
  const { tree } = await linkedSources(files, { [file]: text }, await plainSources(files, near, hasMain));
  return tree;
}

/**
 * Programs of the workspace whose sources define or include what a file that is no program defines, and use
 * it, the nearest first. Each with the sources that have to be linked with it.
 */
export async function programsAround(
  files: FileReader,
  { file, text }: { readonly file: string; readonly text: string },
): Promise<readonly WorkspaceProgram[]> {
  const defined = definedNames(text);
  if (defined.length === 0) return [];
  // A source that includes a header with main() is the program, and what the header defines is used there.
  const header = file.slice(file.lastIndexOf("/") + 1);
  const isWhole = !/\.(?:cu|cpp)$/.test(file) && mainFunction.test(text);
  const uses = new RegExp(`\\b(?:${defined.join("|")})\\s*(?:<[^;{}()]*>\\s*)?(?:\\(|<<<)`);
  const paths = await sourcesByDistance(files, file);
  const sources = await plainSources(files, paths, hasMain);
  const found: WorkspaceProgram[] = [];
  for (const path of paths) {
    const main = path === file ? undefined : await readIfShown(files, path);
    if (main === undefined || !(isWhole ? main.includes(header) : hasMain(path, main))) continue;
    const beside = sources.filter((each) => areNear(each.path, path));
    const { besides, tree } = await linkedSources(files, { [path]: main }, beside);
    const isUsed =
      isWhole || Object.entries(tree).some(([each, content]) => each !== file && uses.test(content));
    if (tree[file] === undefined || !isUsed) continue;
    found.push({ file: path, text: main, compileOptions: besides });
    if (found.length === mostPrograms) break;
  }
  return found;
}
