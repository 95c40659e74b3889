import { declaredKernels } from "../../../core/language/cuda/declared-kernels";
import { mayHoldKernel } from "../../../core/language/cuda/kernel-text";
import { findKernels, findLaunchSites, withSource } from "../../../core/language/source-file";
import type { Grammars } from "../../../core/language/tree";
import type { FileReader } from "../../../core/ports/files";
import { drawIn, readIfShown } from "../sources/draw-in";
import { definedNames } from "./linked-sources";
import { distance, sourcesByDistance } from "./near-sources";
import { sourcesOfProgram } from "./workspace-programs";

/** Files that are looked through for a kernel, at most. */
const MOST_FILES = 200;

interface NamedFile {
  readonly file: string;
  /** The kernel that is meant, where one was named. */
  readonly kernel?: string;
}

/**
 * The file whose kernels are meant by one that has none of its own, or not the one that was named: the one
 * that it draws in (includes, imports) and that defines most of the kernels which it launches or declares;
 * of what it declares also the nearest source of the workspace. Where it launches nothing itself, the only
 * header that it includes and that has kernels; of a program the only source that is linked with it and has
 * some. Else the file itself.
 */
export async function kernelHome(
  files: FileReader,
  grammars: () => Promise<Grammars>,
  { file, kernel }: NamedFile,
): Promise<string> {
  const text = await files.read(file);
  if (text === undefined) return file;
  const loaded = await grammars();
  const own = withSource(loaded, file, text, (source) => ({
    kernels: findKernels(source).map(({ name }) => name),
    launched: findLaunchSites(source).map((site) => site.kernel),
  }));
  if (own === undefined) return file;
  const declared = soughtOf(declaredKernels(file, text), own.kernels, kernel);
  const launched = own.kernels.length > 0 ? [] : own.launched;
  const sought = new Set([...launched, ...declared]);
  if (sought.size === 0) {
    const hasKernel = (path: string, source: string): boolean =>
      withSource(loaded, path, source, (read) => findKernels(read).length > 0) === true;
    if (own.kernels.length > 0) return file;
    // Its own call is of a function of the header, which launches them.
    const header = await includedHeader(files, text, hasKernel);
    if (header !== undefined) return header;
    const [linked, ...more] = await programKernels(files, grammars, { file, text });
    return linked === undefined || more.length > 0 ? file : linked;
  }
  const definedIn = (path: string, source: string): readonly string[] =>
    withSource(loaded, path, source, findKernels)
      ?.map(({ name }) => name)
      .filter((name) => sought.has(name)) ?? [];
  const defines = (path: string, source: string): boolean => definedIn(path, source).length > 0;
  const drawn = await drawIn(
    files,
    { [file]: text },
    { root: "", includeFolders: [] },
    (tree) => Object.keys(tree).length < MOST_FILES,
  );
  const homes = Object.entries(drawn).flatMap(([path, source]) => {
    const names = path === file ? [] : definedIn(path, source);
    return names.length === 0 ? [] : [{ path, names: new Set(names) }];
  });
  if (homes.length > 0) return chiefHome(homes, [...sought]) ?? file;
  return (declared.length > 0 ? await nearestDefiner(files, file, { declared, defines }) : undefined) ?? file;
}

/**
 * The file with most of the kernels that are launched, of equal ones that of the first launch; undefined
 * where one of them stands in two files.
 */
function chiefHome(
  homes: readonly { readonly path: string; readonly names: ReadonlySet<string> }[],
  launched: readonly string[],
): string | undefined {
  const isTwice = launched.some((name) => homes.filter(({ names }) => names.has(name)).length > 1);
  if (isTwice) return undefined;
  const firstOf = ({ names }: (typeof homes)[number]): number =>
    launched.findIndex((name) => names.has(name));
  const [chief] = [...homes].sort((a, b) => b.names.size - a.names.size || firstOf(a) - firstOf(b));
  return chief?.path;
}

/** Files with kernels among those that a program is made of; none of a file that is no program. */
export async function programKernels(
  files: FileReader,
  grammars: () => Promise<Grammars>,
  program: { readonly file: string; readonly text: string },
): Promise<readonly string[]> {
  const loaded = await grammars();
  return Object.entries(await sourcesOfProgram(files, program)).flatMap(([path, text]) => {
    const isHome = mayHoldKernel(text) && withSource(loaded, path, text, findKernels)?.length;
    return isHome ? [path] : [];
  });
}

/** Declared kernels that are meant: the named one, else all where the file has no kernels. */
function soughtOf(
  declared: readonly string[],
  own: readonly string[],
  kernel: string | undefined,
): readonly string[] {
  const plain = kernel?.split("::").at(-1);
  if (plain === undefined) return own.length > 0 ? [] : declared;
  return own.includes(plain) ? [] : declared.filter((name) => name === plain);
}

interface Sought {
  readonly declared: readonly string[];
  readonly defines: (path: string, text: string) => boolean;
}

/** The nearest source that defines what a file declares: of several the one with the file's own name. */
async function nearestDefiner(
  files: FileReader,
  file: string,
  { declared, defines }: Sought,
): Promise<string | undefined> {
  const found: string[] = [];
  for (const path of await sourcesByDistance(files, file)) {
    const [nearest] = found;
    if (nearest !== undefined && distance(path, file) > distance(nearest, file)) break;
    const text = path === file ? undefined : await readIfShown(files, path);
    if (text === undefined || !definedNames(text).some((name) => declared.includes(name))) continue;
    if (defines(path, text)) found.push(path);
  }
  const [first, ...others] = found;
  return others.length === 0 ? first : found.find((path) => stem(path) === stem(file));
}

/** Headers that are looked at: one may be named in several folders. */
const mostHeaders = 40;

/**
 * The only header with kernels among those that a file includes by the end of their path, in whichever
 * folder they are looked for.
 */
async function includedHeader(
  files: FileReader,
  text: string,
  hasKernel: (path: string, text: string) => boolean,
): Promise<string | undefined> {
  const named = [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]/gm)].map(([, path = ""]) =>
    path.replace(/^(?:\.{1,2}\/)+/, ""),
  );
  if (named.length === 0) return undefined;
  const headers = (await files.list("", [".cuh", ".h", ".hpp", ".inl"])).filter((path) =>
    named.some((each) => path === each || path.endsWith(`/${each}`)),
  );
  const found: string[] = [];
  for (const path of headers.slice(0, mostHeaders)) {
    const header = await readIfShown(files, path);
    if (header !== undefined && mayHoldKernel(header) && hasKernel(path, header)) found.push(path);
  }
  return found.length === 1 ? found[0] : undefined;
}

function stem(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\..*$/, "");
}
