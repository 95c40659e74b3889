import { prepareText } from "../../../../core/language/cuda/prepare";
import { withPlainParameters } from "../../../../core/language/cuda/type-macros";
import { type EntryFunctions, entryFunctions } from "../../../../core/language/cuda/entry/entry-functions";
import { includedNames } from "../../../../core/language/local-files";
import type { Grammars, SyntaxTree } from "../../../../core/language/tree";
import type { FileReader } from "../../../../core/ports/files";
import type { SourceTree } from "../../../../core/judge/candidate";
import type { BuildService } from "../../services";
import { readIfShown, workspaceIncludeFolders } from "../../sources/draw-in";
import { readTree } from "../../sources/source-tree";
import { type LinkedSources, linkedSources, missingNames, plainSources } from "../linked-sources";
import { areNear, sourcesByDistance } from "../near-sources";
import { hasMain } from "../workspace-programs";

const suffixes = [".cu", ".cuh", ".cpp", ".cc", ".cxx", ".h", ".hpp"];
/** A workspace may have this many sources that are searched for what includes a kernel's file. */
const mostFiles = 1000;

/** What the search for an entry needs of the host. */
export interface EntryFiles {
  readonly files: FileReader;
  readonly builds: BuildService;
  readonly grammars: () => Promise<Grammars>;
}

/**
 * Host functions that lead to a launch of a kernel: those of its own file, or of the files that include it.
 */
export async function findEntryFunctions(
  { files, builds, grammars }: EntryFiles,
  { file, kernel }: { readonly file: string; readonly kernel: string },
): Promise<EntryFunctions> {
  const parsers = await grammars();
  const own = await readEntryTree({ files, builds }, file);
  const near = functionsIn(parsers, own, { in: [file], kernel });
  if (near.callable.some(({ isTemplate }) => !isTemplate)) return near;
  let refused = near.refused;
  for (const user of await usersOf(files, file)) {
    const tree = await readEntryTree({ files, builds }, user);
    const found = functionsIn(parsers, tree, { in: [user, file], kernel });
    if (found.callable.length > 0) return { callable: [...found.callable, ...near.callable], refused };
    refused = [...refused, ...found.refused];
  }
  return { ...near, refused };
}

/** A source and all that it includes, with the sources of the workspace that define what of it is missing. */
export async function readLinkedTree(
  means: Pick<EntryFiles, "files" | "builds">,
  file: string,
): Promise<LinkedSources> {
  const tree = await readEntryTree(means, file);
  if (missingNames(tree).size === 0) return { tree, besides: [] };
  const near = (await sourcesByDistance(means.files, file)).filter((path) => areNear(path, file));
  const sources = await plainSources(means.files, near, hasMain);
  const build = await means.builds.settingsFor(file);
  return linkedSources(means.files, tree, sources, ["include", "src", ...workspaceIncludeFolders(build)]);
}

/** A source and all that it includes. */
export async function readEntryTree(
  { files, builds }: Pick<EntryFiles, "files" | "builds">,
  file: string,
): Promise<SourceTree> {
  const build = await builds.settingsFor(file);
  return readTree(files, [file], { specFolder: folderOf(file), build });
}

function functionsIn(
  grammars: Grammars,
  tree: SourceTree,
  about: { readonly in: readonly string[]; readonly kernel: string },
): EntryFunctions {
  const trees: SyntaxTree[] = [];
  const texts = Object.values(tree);
  const parse = (text: string): SyntaxTree["root"] => {
    const parsed = grammars.cuda.parse(prepareText(withPlainParameters(text, texts)));
    trees.push(parsed);
    return parsed.root;
  };
  try {
    const headers = Object.keys(tree).filter((path) => !about.in.includes(path));
    const [main = ""] = about.in;
    const files = new Map(
      [...new Set([...about.in, ...headers])].map((path) => [path, parse(tree[path] ?? "")]),
    );
    const all = parse([...headers, ...about.in].map((path) => tree[path] ?? "").join("\n"));
    const found = entryFunctions({ files, all }, about.kernel);
    // Whatever file it stands in: the harness includes the one that includes all others.
    return { ...found, callable: found.callable.map((each) => ({ ...each, file: main })) };
  } finally {
    for (const each of trees) each.dispose();
  }
}

/** Sources that include a file, over other headers too; those that compile by themselves alone. */
async function usersOf(files: FileReader, file: string): Promise<readonly string[]> {
  const paths = (await files.list("", suffixes)).filter((path) => path !== file).slice(0, mostFiles);
  const included = new Map<string, readonly string[]>();
  for (const path of paths) {
    const text = await readIfShown(files, path);
    if (text !== undefined)
      included.set(
        path,
        includedNames(text).map(({ name }) => name.replace(/^(?:\.\.?\/)+/, "")),
      );
  }
  const reached = new Set([file]);
  for (let size = 0; size !== reached.size;) {
    size = reached.size;
    for (const [path, names] of included)
      if (names.some((name) => [...reached].some((each) => each === name || each.endsWith(`/${name}`))))
        reached.add(path);
  }
  return [...reached].filter((path) => path !== file && /\.(?:cu|cpp|cc|cxx)$/.test(path));
}

function folderOf(file: string): string {
  return file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : "";
}
