import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { unfoundHeader } from "../../../core/base/compiling/unfound-header";

/** Folders above a source in which its project's headers are looked for. */
const mostLevels = 4;
const mostFolders = 60;
const complaint =
  /^(.+?)(?::(\d+):\d+: fatal error: (\S+): No such file|\((\d+)\): (?:fatal|catastrophic) error: cannot open source file "(.+?)")/m;

interface FoundHeader {
  /** Option that names the header's folder; none when it is not certain which is meant. */
  readonly words: readonly string[];
  readonly note: string;
  /** What the user can do when it is not certain. */
  readonly advice: string;
}

/**
 * Where a header that the compiler did not find stands in the source's own project: in a folder above it, or
 * in one of those beside these. Nothing when the compiler complained of something else.
 */
export async function missingHeader(
  said: string,
  { folder, options }: { readonly folder: string; readonly options: readonly string[] },
): Promise<FoundHeader | undefined> {
  const [, file, oneLine, oneName, otherLine, otherName] = complaint.exec(said) ?? [];
  const header = oneName ?? otherName;
  if (file === undefined || header === undefined) return undefined;
  const shown = (path: string): string => relative(folder, path) || ".";
  const found = await foldersWith(header, dirname(resolve(folder, file)));
  const [first] = found;
  const place = `${shown(resolve(folder, file))}:${oneLine ?? otherLine ?? "1"}`;
  if (first === undefined)
    return { words: [], note: "", advice: `${place}: ${header} ${absenceOf(header)}\n` };
  const word = `-I${shown(first)}`;
  if (found.length > 1 || options.includes(word))
    return {
      words: [],
      note: "",
      advice: `${place}: ${header} is in ${found.map(shown).join(", ")}: name the one that is meant with -I\n`,
    };
  return { words: [word], note: `${header} is taken from ${shown(first)} (${word})`, advice: "" };
}

/** Why a header is in no folder that compilers look in, and what to do about it. */
function absenceOf(header: string): string {
  return (
    unfoundHeader(header) ??
    "is in no folder of the toolkit, of the system or near the source: name its folder with -I, or install what it belongs to"
  );
}

/** The folders with such a header on the nearest level that has any. */
async function foldersWith(header: string, start: string): Promise<readonly string[]> {
  let top = start;
  for (let level = 0; level < mostLevels; level += 1) {
    const near = await foldersOf(top);
    const found = near.filter((each) => existsSync(join(each, header)));
    if (found.length > 0) return found;
    if (existsSync(join(top, ".git")) || top === homedir() || top === dirname(top)) return [];
    top = dirname(top);
  }
  return [];
}

/** A folder, those in it, and their include folders. */
async function foldersOf(top: string): Promise<readonly string[]> {
  const inside = await namesIn(top);
  const include = await Promise.all(
    inside.map(async (each) =>
      (await namesIn(each)).includes(join(each, "include")) ? [join(each, "include")] : [],
    ),
  );
  return [top, ...inside, ...include.flat()];
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules")
      .slice(0, mostFolders)
      .map(({ name }) => join(folder, name));
  } catch {
    // A folder that may not be read has nothing for the program.
    return [];
  }
}
