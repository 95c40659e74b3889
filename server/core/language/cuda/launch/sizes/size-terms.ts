import { collapse } from "../../../query";
import type { SyntaxNode } from "../../../tree";
import { initialized } from "../../constants";
import { bare, followed, namesInSize } from "./size-text";

const whole =
  /^(?:(?:static|const|constexpr|unsigned|signed|long|short|int|auto|size_t|u?int(?:32|64)_t)\s*)+$/;
const arithmetic = /^[\w\s+\-*/()]+$/;
/** Longer texts are no sizes that a reader would look for in an extent. */
const longest = 120;

/**
 * What code computes of sizes alone for whole numbers that it declares, as size expressions: the height of
 * what a filter leaves, the number of tiles. Of several that have a name in common the first is taken.
 */
export function sizeTerms(code: SyntaxNode, names: readonly string[]): readonly string[] {
  const locals = new Map<string, string>();
  for (const node of code.descendantsOfType("init_declarator")) {
    const { parent } = node;
    const types = parent?.namedChildren.filter(({ type }) => /type|specifier|qualifier/.test(type)) ?? [];
    const isPlain = parent?.type === "declaration" && parent.parent?.type !== "for_statement";
    if (!isPlain || !whole.test(types.map(({ text }) => text).join(" "))) continue;
    for (const { name, text } of initialized(node, "value")) if (!locals.has(name)) locals.set(name, text);
  }
  const sizes = new Set(names);
  const meaningOf = (name: string): string | undefined => (sizes.has(name) ? undefined : locals.get(name));
  const terms = [...locals].flatMap(([name, text]) => {
    const term = sizes.has(name) ? undefined : followed(collapse(text), { meaningOf });
    const used = term === undefined ? [] : (namesInSize(term) ?? []);
    const isOfSizes = used.length > 0 && used.every((each) => sizes.has(each));
    return term !== undefined && isOfSizes && arithmetic.test(term) && term.length <= longest
      ? [bare(term)]
      : [];
  });
  return [...new Set(terms)].filter((term) => !sizes.has(term));
}
