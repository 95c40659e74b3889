import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isReplaced } from "./gpu-libraries";

/** Files beside a program that may say how it is linked. */
const tells = /^(?:makefile|readme(?:\.(?:md|txt|rst))?|\w[\w.-]*\.(?:sh|mk))$/i;
const mostTexts = 40;
/** `-lpng` as a word of a command. */
const linked = /(?<![\w-])-l([A-Za-z]\w*(?:[+.-]\w+)*)(?![\w/=])/g;
/** Where linkers look by themselves. */
const systemFolders = ["/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64"];
const multiarch = ["x86_64-linux-gnu", "aarch64-linux-gnu"];

interface NamedLibraries {
  /** `-lNAME` of those that this system has, and where each is named. */
  readonly found: readonly { readonly word: string; readonly where: string }[];
  /** A sentence for each that it lacks. */
  readonly advice: string;
}

/**
 * The libraries with which a program that lacks functions is built, as the sources themselves or files
 * beside them say it: makefiles, scripts, notes. `sources` are relative to `folder`, or absolute; `given`:
 * the words that the linker has already.
 */
export async function namedLibraries(
  said: string,
  {
    folder,
    sources,
    given,
  }: { readonly folder: string; readonly sources: readonly string[]; readonly given: readonly string[] },
): Promise<NamedLibraries> {
  if (!/undefined reference to/.test(said)) return { found: [], advice: "" };
  const named = new Map<string, string>();
  const texts = await textsOf(sources.map((source) => resolve(folder, source)));
  for (const { path, text } of texts)
    for (const [word, name = ""] of text.matchAll(linked))
      if (!given.includes(word) && !isReplaced(word) && !named.has(name)) named.set(name, basename(path));
  const all = [...named].map(([name, where]) => ({ word: `-l${name}`, where, has: isInstalled(name) }));
  const lacking = all.filter(({ has }) => !has);
  return {
    found: all.filter(({ has }) => has).map(({ word, where }) => ({ word, where })),
    advice: lacking
      .map(({ word, where }) => `${where} links ${word}, which this system does not have\n`)
      .join(""),
  };
}

/** The sources and what tells how they are built, which lies beside them. */
async function textsOf(
  sources: readonly string[],
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const folders = [...new Set(sources.map((path) => dirname(path)))].filter((each) => existsSync(each));
  const beside = await Promise.all(
    folders.map(async (each) =>
      (await readdir(each)).filter((name) => tells.test(name)).map((name) => join(each, name)),
    ),
  );
  const paths = [...beside.flat(), ...sources].filter((path) => existsSync(path)).slice(0, mostTexts);
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(path, "utf8") })));
}

function isInstalled(name: string): boolean {
  const folders = systemFolders.flatMap((each) => [each, ...multiarch.map((kind) => join(each, kind))]);
  return folders.some((each) =>
    [".so", ".a"].some((ending) => existsSync(join(each, `lib${name}${ending}`))),
  );
}
