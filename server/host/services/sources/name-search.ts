import { type Dialect, dialectEndings } from "../../../core/workload/spec";
import { localReferences } from "../../../core/language/local-files";
import type { FileReader, TextSearch } from "../../../core/ports/files";
import type { NameSearch } from "../services";
import { readIfShown } from "./draw-in";

/** Endings of files that may hold launches of kernels and prototypes, besides those of the kernels' files. */
const hostEndings: Readonly<Partial<Record<Dialect, readonly string[]>>> = {
  cuda: [".cc", ".cxx", ".h", ".hpp"],
};

function endingsOf(dialect: Dialect): readonly string[] {
  return [...dialectEndings[dialect], ...(hostEndings[dialect] ?? [])];
}

/** Neither gives what the user excludes. */
export function createNameSearch(files: FileReader, texts: TextSearch): NameSearch {
  return {
    mentioning: (name, dialect) => texts.search(name, endingsOf(dialect)),
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
