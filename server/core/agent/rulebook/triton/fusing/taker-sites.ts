import { compact, enclosing, operands, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { TritonKernel } from "../../../../language/triton/kernels";
import { not, type RuleHold } from "../../rule";
import { isCallOf, maskOf, onlyAssignment, positional, type TritonView } from "../kernel";
import type { Joint, Taker } from "./joint";
import { wordsOf } from "./kernel-words";
import { type RowSite, rowSiteOf, termsIn } from "./row-place";

/** A load or a store of the tensor in the taker. */
export interface TakerSite {
  readonly call: SyntaxNode;
  readonly statement: SyntaxNode;
  /** The place of its elements, in the taker's words. */
  readonly index: string;
  readonly address: SyntaxNode;
  readonly mask: string | undefined;
}

/** The loads of the tensor, as the taker does them. */
export function loadSites(view: TritonView, { taker, parameter }: Joint): readonly TakerSite[] | RuleHold {
  return sitesOf(view, taker, { parameter, which: "load" });
}

/** The stores of the tensor, as the taker does them. */
export function storeSites(view: TritonView, { taker, parameter }: Joint): readonly TakerSite[] | RuleHold {
  return sitesOf(view, taker, { parameter, which: "store" });
}

function sitesOf(
  view: TritonView,
  { kernel }: Taker,
  { parameter, which }: { readonly parameter: string; readonly which: "load" | "store" },
): readonly TakerSite[] | RuleHold {
  const sites: TakerSite[] = [];
  for (const call of kernel.body.descendantsOfType("call")) {
    const [address] = positional(call);
    const callee = compact(call.childForFieldName("function"));
    const touches = address !== undefined && indexText(kernel, address, parameter);
    if (
      touches === undefined ||
      touches === false ||
      !/\.(load|store|atomic_\w+|make_block_ptr)$/.test(callee)
    )
      continue;
    const statement = enclosing(call, "expression_statement");
    if (!isCallOf(view, call, which) || statement === undefined || touches === "")
      return not("no-rewrite", `${kernel.facts.name} uses ${parameter} in another way`, call);
    if (which === "store" && positional(call)[1] === undefined)
      return not("no-rewrite", "a store is given its value by name", call);
    sites.push({ call, statement, index: touches, address, mask: maskOf(view, call)?.text });
  }
  return sites.length === 0
    ? not("no-rewrite", `${kernel.facts.name} is not seen to ${which} ${parameter}`, kernel.definition)
    : sites;
}

/** The terms of an address without its pointer; undefined where it is another pointer's. */
function indexText(kernel: TritonKernel, address: SyntaxNode, parameter: string): string | undefined {
  const terms: string[] = [];
  let found = false;
  const follow = (node: SyntaxNode, depth: number): void => {
    for (const term of operands(node, "+")) {
      const local = term.type === "identifier" && onlyAssignment(kernel.body, term.text);
      const value = local ? local.childForFieldName("right") : null;
      if (term.text === parameter) {
        found = true;
        terms.push(...movesOf(kernel, parameter));
      } else if (value && depth < 6 && usesOf(value, parameter).length > 0) follow(value, depth + 1);
      else terms.push(term.text);
    }
  };
  follow(address, 0);
  return found ? terms.join(" + ") : undefined;
}

/** What the kernel adds to its pointer before. */
export function movesOf({ body }: TritonKernel, parameter: string): readonly string[] {
  return body.descendantsOfType("augmented_assignment").flatMap((act) => {
    const own = act.childForFieldName("left")?.text === parameter;
    return own ? (act.childForFieldName("right")?.text ?? []) : [];
  });
}

/** Which row of a kernel that works by rows a load of the taker needs; undefined for one by elements. */
export function rowSiteIn(
  view: TritonView,
  { pointwise, taker, parameter, before }: Joint,
  { call, address }: TakerSite,
): RowSite | RuleHold | undefined {
  const { rows, store, words } = pointwise;
  if (rows === undefined) return undefined;
  const { kernel, passed } = taker;
  const own = wordsOf({ view, kernel, passed }).words;
  const terms = termsIn({ kernel }, address).filter(({ text }) => text !== parameter);
  const site = before ? rowSiteOf({ kernel, words: own }, terms, rows) : undefined;
  if (site === undefined || movesOf(kernel, parameter).length > 0)
    return not("no-rewrite", `${kernel.facts.name} takes other parts of rows`, call);
  const node = maskOf(view, call);
  const same = (node && own(node)) === (store.mask && words(store.mask));
  return same ? site : not("dependence", `${kernel.facts.name} takes a row under another mask`, call);
}
