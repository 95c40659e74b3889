import { changes, isPure } from "../../../../language/cuda/body/scope";
import { compact, isInside, lineOf, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, indentOf, insertBefore, replaceNode } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { floatsIn, kindOf } from "./float-values";
import { ownHelpers } from "./single-precision";

/** Sines and cosines of one angle among the statements of one block. */
interface Pair {
  readonly angle: SyntaxNode;
  /** The first statement of those with the calls. */
  readonly first: SyntaxNode;
  readonly statements: readonly SyntaxNode[];
  readonly sines: readonly SyntaxNode[];
  readonly cosines: readonly SyntaxNode[];
}

/** Takes the sine and the cosine of one angle together: bringing the angle into range costs most of both. */
export const sineAndCosine = defineRule("cuda-sine-and-cosine", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const pairs = [view.body, ...ownHelpers(view)].flatMap((place) => pairsIn(view, place));
  const [first] = pairs;
  if (first === undefined)
    return not("no-pattern", "no angle has both its sine and its cosine taken", view.line);
  const instructions = pairs.reduce((sum, pair) => sum + instructionsOf(input, pair), 0);
  if (instructions === 0) return not("no-evidence", "the sine was not reached", first.first);
  const ideal = Math.round(instructions * threshold(entry, "share"));
  const saved = shareSaved(instructions - ideal, input.counters.totals.instructions);
  const angle = compact(first.angle);
  let taken = view.source;
  const edits = pairs.flatMap((pair) => {
    const [sine, cosine] = ["sine", "cosine"].map((wish) => freshName(taken, wish));
    taken += ` ${sine} ${cosine}`;
    const indent = indentOf(view.source, pair.first);
    const lines = `float ${sine}, ${cosine};\n${indent}sincosf(${pair.angle.text}, &${sine}, &${cosine});`;
    return [
      insertBefore(pair.first, `${lines}\n${indent}`),
      ...pair.sines.map((call) => replaceNode(call, sine ?? "")),
      ...pair.cosines.map((call) => replaceNode(call, cosine ?? "")),
    ];
  });
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { angle }),
    evidence: evidenceFor(
      entry,
      {
        ...{ file: input.file, line: lineOf(first.first), counter: "instructions" },
        ...{ value: instructions, ideal },
      },
      { angle },
    ),
    gain: gainOn(input, ["issue", "fp32", "special", "integer"], saved),
  };
});

function instructionsOf(input: RuleInput, { statements }: Pair): number {
  const lines = new Map(statements.map((statement) => [lineOf(statement), statement]));
  return [...lines.values()].reduce((sum, statement) => sum + countsOf(input, statement).instructions, 0);
}

function pairsIn(view: KernelView, place: SyntaxNode): readonly Pair[] {
  const floats = floatsIn(view, place);
  const blocks = [place, ...place.descendantsOfType("compound_statement")].filter(
    ({ type }) => type === "compound_statement",
  );
  return [...new Map(blocks.map((block) => [block.id, block])).values()].flatMap((block) => {
    const own = partsOf(block).filter(
      ({ type }) => type === "declaration" || type === "expression_statement",
    );
    const calls = own.flatMap((statement) =>
      statement
        .descendantsOfType("call_expression")
        .flatMap((call) => callOf(call, floats) ?? [])
        .map((call) => ({ ...call, statement })),
    );
    const angles = new Set(calls.map(({ angle }) => compact(angle)));
    return [...angles].flatMap((text) => {
      const same = calls.filter(({ angle }) => compact(angle) === text);
      return pairOf(block, same) ?? [];
    });
  });
}

interface Call {
  readonly call: SyntaxNode;
  readonly angle: SyntaxNode;
  readonly isSine: boolean;
}

/** `sinf(angle)`, or `sin` of a float. */
function callOf(call: SyntaxNode, floats: ReadonlySet<string>): Call | undefined {
  const name = compact(call.childForFieldName("function")).replace(/^(?:std)?::/, "");
  const [angle, ...others] = partsOf(call.childForFieldName("arguments"));
  if (angle === undefined || others.length > 0 || !isPure(angle)) return undefined;
  const single =
    /^(?:sin|cos)f$/.test(name) || (/^(?:sin|cos)$/.test(name) && kindOf(angle, floats) === "float");
  return single ? { call, angle, isSine: name.startsWith("sin") } : undefined;
}

function pairOf(
  block: SyntaxNode,
  calls: readonly (Call & { readonly statement: SyntaxNode })[],
): Pair | undefined {
  const sines = calls.filter(({ isSine }) => isSine).map(({ call }) => call);
  const cosines = calls.filter(({ isSine }) => !isSine).map(({ call }) => call);
  const [first] = calls;
  const last = calls.at(-1);
  if (first === undefined || last === undefined || sines.length === 0 || cosines.length === 0)
    return undefined;
  const names = new Set(first.angle.descendantsOfType("identifier").map(({ text }) => text));
  if (first.angle.type === "identifier") names.add(first.angle.text);
  const between = partsOf(block).filter(
    ({ startIndex, endIndex }) =>
      startIndex >= first.statement.startIndex && endIndex <= last.statement.endIndex,
  );
  const changed = between.some((node) =>
    [
      ...changes(node).map(({ target }) => target),
      ...node
        .descendantsOfType("init_declarator")
        .flatMap((each) => each.childForFieldName("declarator") ?? []),
    ].some(
      (target) =>
        target.descendantsOfType("identifier").some(({ text }) => names.has(text)) || names.has(target.text),
    ),
  );
  const elements = first.angle.descendantsOfType("subscript_expression").length > 0;
  const stores =
    elements &&
    between.some((node) => changes(node).some(({ target }) => target.type === "subscript_expression"));
  const nested = [...sines, ...cosines].some((call) =>
    [...sines, ...cosines].some((other) => other.id !== call.id && isInside(call, other)),
  );
  if (changed || stores || nested) return undefined;
  return {
    ...{ angle: first.angle, first: first.statement, sines, cosines },
    statements: calls.map(({ statement }) => statement),
  };
}
