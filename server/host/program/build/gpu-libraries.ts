import { basename } from "node:path";
import table from "./gpu-libraries.json";

interface ProvidedLibrary {
  readonly name: string;
  /** The folder of its sources below server/runtime/libraries. */
  readonly room: string;
  readonly headers: readonly string[];
  /** What programs name it after -l. */
  readonly linked: readonly string[];
  /** How the names of its functions begin, as a pattern. */
  readonly functions: string;
}

interface MissingLibrary {
  readonly name: string;
  readonly headers: readonly string[];
  readonly linked: readonly string[];
  /** What the user can do when it is not the usual. */
  readonly instead?: string;
}

const provided: readonly ProvidedLibrary[] = table.provided;
const missing: readonly MissingLibrary[] = table.missing;
const usualAdvice = "leave out the part that uses it, or put a header and functions of your own in its place";

/** Names after -l that are not passed to the linker: ours take their place, or there is nothing in them. */
const replaced = new Set([...provided.flatMap((library) => library.linked), ...table.ignored]);

/** Whether an option names a library (`-lNAME`) whose place ours take. */
export function isReplaced(word: string): boolean {
  return word.startsWith("-l") && replaced.has(word.slice(2));
}

/** What sources include, as they write it. */
export function includedHeaders(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) =>
    [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]/gm)].map(([, name = ""]) => name),
  );
}

/**
 * Rooms of our libraries that a program needs: of those whose headers it includes (`files`, as the compiler
 * lists them) and of those that it names (`words` like -lcublas).
 */
export function neededRooms(files: readonly string[], words: readonly string[]): readonly string[] {
  const headers = new Set(files.map((file) => basename(file)));
  const named = new Set(words.filter((word) => word.startsWith("-l")).map((word) => word.slice(2)));
  return provided
    .filter(
      (library) =>
        library.headers.some((header) => headers.has(header)) ||
        library.linked.some((name) => named.has(name)),
    )
    .map((library) => library.room);
}

/** Rooms of libraries that sources open by name while they run, or whose functions they ask for by name. */
export function openedRooms(texts: readonly string[]): readonly string[] {
  const names = new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/"(?:[^"\n]*\/)?lib(\w+)\.so[.\d]*"/g)].map(([, name = ""]) => name),
    ),
  );
  if (texts.some((text) => /\bcuGetProcAddress\b/.test(text))) names.add("cuda");
  // cuBLASLt computes with functions of cuBLAS.
  if (names.has("cublasLt")) names.add("cublas");
  return provided.filter(({ linked }) => linked.some((name) => names.has(name))).map(({ room }) => room);
}

/**
 * What a compiler or linker said of a library that the virtual GPU lacks, or of a function that ours lacks,
 * by the library's name; nothing when it is about something else. `shown`: a path as the user would write it.
 */
export function explainLibraries(said: string, shown: (path: string) => string): string | undefined {
  const lines = said.split("\n").flatMap((line) => {
    const told = missingHeader(line, shown) ?? missingFunction(line, shown) ?? missingArchive(line);
    return told === undefined ? [] : [told];
  });
  return lines.length === 0 ? undefined : `${[...new Set(lines)].join("\n")}\n`;
}

function missingHeader(line: string, shown: (path: string) => string): string | undefined {
  const [, file, number, header] =
    /^(.+?):(\d+)(?::\d+)?: fatal error: (\S+): No such file or directory/.exec(line) ??
    /^(.+?)\((\d+)\): (?:fatal|catastrophic) error: cannot open source file "(.+?)"/.exec(line) ??
    [];
  if (file === undefined || number === undefined || header === undefined) return undefined;
  const place = `${shown(file)}:${number}`;
  const library = missing.find(
    ({ headers }) => headers.includes(header) || headers.some((each) => sharesFolder(each, header)),
  );
  if (library === undefined) return undefined;
  return `${place}: the virtual GPU has no ${library.name} (${header}): ${library.instead ?? usualAdvice}`;
}

/** Headers of one library lie in one folder: cutlass/… is CUTLASS's. */
function sharesFolder(known: string, header: string): boolean {
  const folder = known.slice(0, known.indexOf("/") + 1);
  return folder !== "" && header.startsWith(folder);
}

/** A function that is declared in a library's own header, but not in ours. */
function missingFunction(line: string, shown: (path: string) => string): string | undefined {
  const [, file, number, name] =
    /^(.+?)\((\d+)\): error: identifier "(\w+)" is undefined/.exec(line) ??
    /^(.+?):(\d+):\d+: error: [‘']?(\w+)[’']? was not declared in this scope/.exec(line) ??
    [];
  const library =
    name === undefined ? undefined : provided.find(({ functions }) => new RegExp(functions).test(name));
  if (file === undefined || number === undefined || name === undefined || library === undefined)
    return undefined;
  return `${shown(file)}:${number}: the virtual GPU's ${library.name} has no ${name}`;
}

function missingArchive(line: string): string | undefined {
  const name = /cannot find -l(?:ib)?([\w-]+)/.exec(line)?.[1];
  const library = name === undefined ? undefined : missing.find(({ linked }) => linked.includes(name));
  return (
    library && `-l${name ?? ""}: the virtual GPU has no ${library.name}: ${library.instead ?? usualAdvice}`
  );
}
