import { collapse, fieldText, lineOf, partsOf, rangeOf } from "../../language/query";
import type { TritonKernel } from "../../language/triton/kernels";
import type { TritonModel } from "../../language/triton/model";
import type { TritonNames } from "../../language/triton/names";
import type { SyntaxNode } from "../../language/tree";
import type { LintFinding, LintFix } from "../lint";

/** Offsets that the kernel itself compares with a size. */
interface BoundedOffsets {
  /** Name of the block. */
  readonly name: string;
  readonly bound: string;
  /** `offs < n`, without what gives it a second dimension. */
  readonly comparison: string;
  readonly line: number;
  /** The local that holds the comparison and nothing else. */
  readonly mask: string | undefined;
}

/** Accesses without a mask at offsets that the same kernel compares with a size. */
export function missingMasks({ kernels, names }: TritonModel): readonly LintFinding[] {
  return kernels.flatMap((kernel) => {
    const definitions = definitionsOf(kernel.body);
    const bounded = boundedOffsets(kernel, definitions);
    if (bounded.length === 0) return [];
    const chosen = kernel.facts.parameters.filter(({ constexpr }) => constexpr).map(({ name }) => name);
    return kernel.body
      .descendantsOfType("call")
      .filter((call) => !isChosen(call, chosen))
      .flatMap((call) => findingOf(call, names, { bounded, definitions }));
  });
}

/**
 * Whether a constexpr decides that the call is compiled: `if EVEN:` says that nothing reaches past the end.
 */
function isChosen(call: SyntaxNode, constexprs: readonly string[]): boolean {
  for (let current = call.parent; current !== null; current = current.parent) {
    const condition = current.type === "if_statement" ? current.childForFieldName("condition") : null;
    if (condition?.descendantsOfType("identifier").some(({ text }) => constexprs.includes(text))) return true;
  }
  return false;
}

/** Locals that are set once, by what. */
function definitionsOf(body: SyntaxNode): ReadonlyMap<string, SyntaxNode> {
  const found = new Map<string, SyntaxNode>();
  const twice = new Set<string>();
  for (const node of body.descendantsOfType(["assignment", "augmented_assignment"])) {
    const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
    if (left?.type !== "identifier" || right === null) continue;
    if (found.has(left.text) || node.type === "augmented_assignment") twice.add(left.text);
    found.set(left.text, right);
  }
  return new Map([...found].filter(([name]) => !twice.has(name)));
}

function boundedOffsets(
  { body, facts }: TritonKernel,
  definitions: ReadonlyMap<string, SyntaxNode>,
): readonly BoundedOffsets[] {
  const sizes = new Set(
    facts.parameters.filter(({ pointer, constexpr }) => !pointer && !constexpr).map(({ name }) => name),
  );
  return body.descendantsOfType("comparison_operator").flatMap((comparison) => {
    const [left, right, ...others] = partsOf(comparison);
    if (left === undefined || right === undefined || others.length > 0) return [];
    const name = left.type === "subscript" ? fieldText(left, "value") : left.text;
    const operator = collapse(comparison.text.slice(left.text.length, -right.text.length));
    const isBlock = /\barange\b/.test(definitions.get(name)?.text ?? "") && !isWrapped(definitions.get(name));
    if (operator !== "<" || !isBlock || !sizes.has(right.text)) return [];
    const holder = [...definitions].find(
      ([, value]) => value.id === comparison.id && left.type === "identifier",
    );
    return [
      {
        name,
        bound: right.text,
        comparison: `${name} < ${right.text}`,
        line: lineOf(comparison),
        mask: holder?.[0],
      },
    ];
  });
}

/** `(…) % n`: it never reaches past the end. */
function isWrapped(definition: SyntaxNode | undefined): boolean {
  return definition?.text.includes("%") === true;
}

function findingOf(
  call: SyntaxNode,
  names: TritonNames,
  known: {
    readonly bounded: readonly BoundedOffsets[];
    readonly definitions: ReadonlyMap<string, SyntaxNode>;
  },
): readonly LintFinding[] {
  const callee = call.childForFieldName("function");
  const stores = names.isLanguage(callee, "store");
  if (!stores && !names.isLanguage(callee, "load")) return [];
  const given = partsOf(call.childForFieldName("arguments"));
  const positional = given.filter(({ type }) => type !== "keyword_argument");
  const keywords = given.map((node) => (node.type === "keyword_argument" ? fieldText(node, "name") : ""));
  const masked =
    positional.length > (stores ? 2 : 1) || keywords.some((name) => /^(?:mask|boundary_check)$/.test(name));
  const [address] = positional;
  if (masked || address === undefined) return [];
  const used = namesBehind(address, known.definitions);
  const offsets = known.bounded.find(({ name }) => used.has(name));
  if (offsets === undefined) return [];
  const fix = maskFix(call, offsets, { stores, single: address.descendantsOfType("subscript").length === 0 });
  const { name, bound, line } = offsets;
  return [
    {
      id: "missing-mask",
      range: rangeOf(call),
      blanks: { offsets: name, bound, line },
      ...(fix === undefined ? {} : { fix }),
    },
  ];
}

/** Names of an expression, those behind its locals among them. */
function namesBehind(node: SyntaxNode, definitions: ReadonlyMap<string, SyntaxNode>): ReadonlySet<string> {
  const found = new Set<string>();
  const pending = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const { text } of next.descendantsOfType("identifier")) {
      if (found.has(text)) continue;
      found.add(text);
      const definition = definitions.get(text);
      if (definition !== undefined && !/\barange\b|\.load\(/.test(definition.text)) pending.push(definition);
    }
  }
  return found;
}

/** Blocks of one dimension alone: what shape a mask of two has, the text does not say. */
function maskFix(
  call: SyntaxNode,
  { mask, comparison }: BoundedOffsets,
  { stores, single }: { readonly stores: boolean; readonly single: boolean },
): LintFix | undefined {
  const list = call.childForFieldName("arguments");
  const last = partsOf(list).at(-1);
  if (!single || last === undefined) return undefined;
  const { end } = rangeOf(last);
  const text = `, mask=${mask ?? comparison}${stores ? "" : ", other=0.0"}`;
  return { title: `Mask it with ${mask ?? comparison}`, edits: [{ range: { start: end, end }, text }] };
}
