import { includedNames, includeGuesses } from "../../../../../language/local-files";
import type { RuleInput } from "../../../rule";

/** What a header holds that a rule might want to read. */
const worthReading =
  /\b(?:__device__|__forceinline__|struct|constexpr|const|enum|typedef|using)\b|#[ \t]*define\b/;
/** What would be another kernel, or a launch, beside those of the kernel's own file. */
const kernels = /\b__global__\b|<<</;
/** More characters than rules read in a moment. */
const MOST = 40_000;

/** An included file of the tree, without what draws in others. */
interface Header {
  readonly path: string;
  readonly text: string;
}

/** The headers of the tree that the kernel's file draws in, in the compiler's order. */
export function includedHeaders({ tree, file }: Pick<RuleInput, "tree" | "file">): readonly Header[] {
  const order: string[] = [];
  const visit = (path: string, seen: ReadonlySet<string>): void => {
    for (const included of includedNames(tree[path] ?? "")) {
      const found = headerAt(tree, path, included);
      if (found === undefined || seen.has(found) || order.includes(found)) continue;
      visit(found, new Set([...seen, found]));
      if (!order.includes(found)) order.push(found);
    }
  };
  visit(file, new Set([file]));
  const headers = order
    .map((path) => ({ path, text: plainText(tree[path] ?? "") }))
    .filter(({ text }) => worthReading.test(text) && !kernels.test(text));
  return headers.reduce((sum, { text }) => sum + text.length, 0) > MOST ? [] : headers;
}

function headerAt(
  tree: RuleInput["tree"],
  path: string,
  included: ReturnType<typeof includedNames>[number],
): string | undefined {
  const places = { root: "", includeFolders: [] };
  const near = includeGuesses(path, included, places).find((guess) => tree[guess] !== undefined);
  const named = Object.keys(tree).filter((each) => each.endsWith(`/${included.name}`));
  return near ?? (named.length === 1 ? named[0] : undefined);
}

function plainText(text: string): string {
  return text.replace(/^[ \t]*#[ \t]*(?:include|pragma)\b[^\n]*/gm, "");
}
