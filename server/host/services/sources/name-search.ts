import { type Dialect, dialectEndings } from "../../../core/workload/spec";
import { localReferences } from "../../../core/language/local-files";
import type { FileReader } from "../../../core/ports/files";
import type { NameSearch } from "../services";
import { readIfShown } from "./draw-in";

/** Endings of files that may hold launches of kernels and prototypes, besides those of the kernels' files. */
const hostEndings: Readonly<Partial<Record<Dialect, readonly string[]>>> = {
  cuda: [".cc", ".cxx", ".h", ".hpp"],
};

function endingsOf(dialect: Dialect): readonly string[] {
  return [...dialectEndings[dialect], ...(hostEndings[dialect] ?? [])];
}

/** Files that are looked at. */
const mostFiles = 20_000;

/** Files that are read beside each other. */
const readTogether = 32;

/** `files`: what the user excludes is never among them. */
export function createNameSearch(files: FileReader): NameSearch {
  return {
    mentioning: async (name, dialect) => {
      const word = new RegExp(`(?<![\\w$])${name}(?![\\w$])`);
      const found: { path: string; text: string }[] = [];
      const paths = (await files.list("", endingsOf(dialect))).slice(0, mostFiles);
      for (let start = 0; start < paths.length; start += readTogether) {
        const some = paths.slice(start, start + readTogether);
        const texts = await Promise.all(some.map((path) => readIfShown(files, path)));
        for (const [index, path] of some.entries()) {
          const text = texts[index];
          if (text !== undefined && word.test(text)) found.push({ path, text });
        }
      }
      return found;
    },
    drawsIn: async (path, unsaved) => {
      const text = unsaved ?? (await readIfShown(files, path));
      if (text === undefined) return [];
      const seen = new Set([path]);
      const pending = [{ path, text }];
      for (let source = pending.pop(); source !== undefined; source = pending.pop()) {
        for (const guess of localReferences(source.path, source.text, { root: "", includeFolders: [] })) {
          if (seen.has(guess) || seen.size > mostDrawn) continue;
          const drawn = await readIfShown(files, guess);
          if (drawn === undefined) continue;
          seen.add(guess);
          pending.push({ path: guess, text: drawn });
        }
      }
      return [...seen].slice(1);
    },
  };
}

/** Files that one file draws in, at most. */
const mostDrawn = 200;
