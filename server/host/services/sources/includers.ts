import { includedNames, includeGuesses } from "../../../core/language/local-files";
import type { FileReader } from "../../../core/ports/files";
import { distance } from "../workload/near-sources";
import { readIfShown } from "./draw-in";

const sourceSuffixes = [".cu", ".cpp", ".cc"];
const suffixes = [...sourceSuffixes, ".cuh", ".h", ".hpp", ".inl"];
/** Files of a workspace that are looked at for includes, the nearest first. */
const mostFiles = 600;
/** Headers between a file and the source that is compiled. */
const mostBetween = 4;

/**
 * Sources that draw a file in, by themselves or by way of headers, the nearest first: what it leans on
 * without including it stands there.
 */
export async function includersOf(files: FileReader, file: string): Promise<readonly string[]> {
  const near = [...(await files.list("", suffixes))]
    .filter((path) => path !== file)
    .sort((a, b) => distance(a, file) - distance(b, file))
    .slice(0, mostFiles);
  const texts = await Promise.all(near.map(async (path) => [path, await readIfShown(files, path)] as const));
  const there = new Set([file, ...near]);
  const drawn = new Set([file]);
  const found: string[] = [];
  for (let round = 0; round <= mostBetween; round += 1) {
    const next = texts.flatMap(([path, text]) =>
      text !== undefined && !drawn.has(path) && includesOne({ path, text }, drawn, there) ? path : [],
    );
    if (next.length === 0) break;
    next.forEach((path) => drawn.add(path));
    found.push(...next.filter((path) => sourceSuffixes.some((suffix) => path.endsWith(suffix))));
  }
  return found;
}

/** Whether a text includes one of the wanted files, from beside it, an include folder or the top. */
function includesOne(
  { path, text }: { readonly path: string; readonly text: string },
  wanted: ReadonlySet<string>,
  there: ReadonlySet<string>,
): boolean {
  return includedNames(text).some((included) => {
    const guesses = includeGuesses(path, included, { root: "", includeFolders: ["include", "src"] });
    const found = guesses.find((guess) => there.has(guess));
    return found !== undefined && wanted.has(found);
  });
}
