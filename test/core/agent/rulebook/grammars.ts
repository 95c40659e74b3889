import { createRequire } from "node:module";
import { Language, Parser } from "web-tree-sitter";
import type { RuleParse } from "../../../../server/core/agent/rulebook/rule";

const require = createRequire(import.meta.url);

/** A parse function over the real grammars, as the server builds one. */
export async function ruleParse(): Promise<RuleParse> {
  await Parser.init();
  const parsers = new Map<string, Parser>();
  for (const [suffix, grammar] of [
    ["cu", "tree-sitter-cuda/tree-sitter-cuda.wasm"],
    ["py", "tree-sitter-python/tree-sitter-python.wasm"],
  ] as const) {
    const parser = new Parser();
    parser.setLanguage(await Language.load(require.resolve(grammar)));
    parsers.set(suffix, parser);
  }
  return (path, text) => parsers.get(path.split(".").at(-1) ?? "")?.parse(text)?.rootNode;
}
