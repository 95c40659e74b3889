import { normalizePath } from "../../../core/base/path-rules";
import type { SourceTree } from "../../../core/judge/candidate";
import { includedNames } from "../../../core/language/local-files";
import { includedSuffixes } from "../../../core/workload/build/include-search";

/** Headers that are looked at, at most. */
const mostHeaders = 400;

/** Where a header may lie: an include folder and the path from there. */
interface Place {
  readonly folder: string;
  readonly name: string;
}

/**
 * The headers that sources include from folders outside of them, and what these include from there: their
 * texts by their paths in those folders. `read` gets an absolute path; undefined for what is not there.
 */
export async function outsideHeaders(
  tree: SourceTree,
  folders: readonly string[],
  read: (path: string) => Promise<string | undefined>,
): Promise<SourceTree> {
  const headers: Record<string, string> = {};
  const asked = new Set<string>();
  const pending = Object.values(tree).flatMap((text) => placesOf(text, folders));
  for (let places = pending.shift(); places !== undefined; places = pending.shift()) {
    for (const { folder, name } of places) {
      const path = `${folder}/${name}`;
      if (asked.has(path) || asked.size >= mostHeaders) continue;
      asked.add(path);
      const text = await read(path);
      if (text === undefined) continue;
      headers[name] ??= text;
      pending.push(...placesOf(text, folders, { folder, name }));
      break;
    }
  }
  return headers;
}

/** For each include of a text the places where it may be, in the compiler's order; none above a folder. */
function placesOf(text: string, folders: readonly string[], includer?: Place): readonly (readonly Place[])[] {
  const above = includer?.name.replace(/[^/]*$/, "") ?? "";
  return includedNames(text).map(({ name, quoted }) => {
    const beside = includer && quoted ? [{ folder: includer.folder, name: `${above}${name}` }] : [];
    return [...beside, ...folders.map((folder) => ({ folder, name }))].flatMap((place) => {
      const inside = normalizePath(place.name);
      const isHeader = includedSuffixes.some((suffix) => inside?.endsWith(suffix));
      return inside === undefined || !isHeader ? [] : [{ folder: place.folder, name: inside }];
    });
  });
}
