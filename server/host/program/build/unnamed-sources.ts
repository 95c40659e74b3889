import { readdir, readFile } from "node:fs/promises";
import { dirname, extname, join, normalize } from "node:path";

const sourceEndings = new Set([".cu", ".cpp", ".cc", ".cxx", ".c"]);
/** Sources beside a program's own that are looked at. */
const mostSources = 100;
const undefinedName = /undefined reference to [`'](?:[\w:]*::)?([A-Za-z_]\w*)/g;

/**
 * A sentence for each source beside the named ones that defines what a linker misses: the program has more
 * sources than were named. Empty when there is none. `sources` are relative to `folder`.
 */
export async function unnamedSources(
  said: string,
  { folder, sources }: { readonly folder: string; readonly sources: readonly string[] },
): Promise<string> {
  const names = [...new Set([...said.matchAll(undefinedName)].map(([, name = ""]) => name))];
  if (names.length === 0) return "";
  const named = new Set(sources.map((source) => normalize(source)));
  const folders = [...new Set([...named].map((source) => dirname(source)))];
  const beside = (await Promise.all(folders.map((each) => sourcesIn(folder, each)))).flat();
  const sentences: string[] = [];
  for (const path of beside.filter((each) => !named.has(each)).slice(0, mostSources)) {
    const text = await readFile(join(folder, path), "utf8");
    const defined = names.filter((name) => definition(name).test(text));
    if (defined.length > 0)
      sentences.push(
        `${defined.join(", ")} is defined in ${path}: name that source too, after ${sources.join(" ")}\n`,
      );
  }
  return sentences.join("");
}

function definition(name: string): RegExp {
  return new RegExp(`\\b${name}\\s*\\([^;{}]*\\)\\s*(?:noexcept\\s*)?\\{`);
}

async function sourcesIn(top: string, folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(top, folder), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && sourceEndings.has(extname(entry.name)))
    .map((entry) => normalize(join(folder, entry.name)))
    .sort();
}
