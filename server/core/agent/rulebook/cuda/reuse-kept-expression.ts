import { editedTree, indentOf, insertBefore, replaceNode } from "../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../evidence";
import type { RuleInput, RuleNode } from "../rule";
import { defineRule, fillSentence, threshold } from "../rule-table";
import { compact, enclosing, isInside, lineOf, usesOf } from "../syntax";
import { isAssigned } from "./dependence";
import type { CudaKernel } from "./kernel-source";
import { cudaKernel } from "./kernel-source";
import { subscriptIndex } from "./shared-array";
import { itemLoops, localValues } from "./thread-items";

/** Functions of one argument that cost several instructions and depend on nothing else. */
const costly = /^(expf?|__expf|exp2f?|logf?|log2f?|sqrtf?|rsqrtf?|sinf?|cosf?|tanhf?|erff?|powf?)$/;

/** The same costly call on the same element of a thread's own array in two unrolled loops. */
interface Repeated {
  readonly array: string;
  readonly index: string;
  readonly first: RuleNode;
  readonly again: readonly RuleNode[];
}

/**
 * Keeps the result of a costly function where an unrolled loop computes it again: the element of the thread's
 * own array is overwritten by the result, which is taken up where the call stood again.
 */
export const reuseKeptExpression = defineRule("cuda-reuse-kept-expression", (input, entry) => {
  const kernel = cudaKernel(input);
  if (kernel === undefined) return [];
  const arrays = kernel.body.descendantsOfType("array_declarator").flatMap((node) => {
    const name = node.childForFieldName("declarator");
    const declaration = enclosing(node, ["declaration"]);
    return name?.type === "identifier" &&
      declaration !== undefined &&
      !/__shared__|static|__constant__/.test(declaration.text)
      ? [name.text]
      : [];
  });
  return arrays.flatMap((array) => {
    const repeated = repeatedCall(kernel, array);
    const line = repeated?.again[0];
    return repeated === undefined || line === undefined ? [] : proposalFor(input, kernel, repeated, line);
  });

  function proposalFor(at: RuleInput, inside: CudaKernel, repeated: Repeated, line: RuleNode) {
    const statement = enclosing(repeated.first, ["expression_statement", "declaration"]);
    const counts = countsOf(at, enclosing(line, ["expression_statement", "declaration"]) ?? line);
    const share = shareSaved(counts.instructions, at.counters.totals.instructions);
    if (statement === undefined || share < threshold(entry, "shareLeast")) return [];
    const element = `${repeated.array}[${repeated.index}]`;
    const edits = [
      insertBefore(statement, `${element} = ${repeated.first.text};\n${indentOf(inside.source, statement)}`),
      ...[repeated.first, ...repeated.again].map((call) => replaceNode(call, element)),
    ];
    const facts = {
      file: at.file,
      line: lineOf(line),
      counter: "instructions" as const,
      value: counts.instructions,
      ideal: Math.ceil(counts.instructions / 2),
    };
    return [
      {
        tree: editedTree(at, edits),
        hypothesis: fillSentence(entry.hypothesis, { expression: repeated.first.text }),
        evidence: evidenceFor(entry, facts, { expression: repeated.first.text }),
        gain: gainOn(at, ["issue"], share / 2),
      },
    ];
  }
});

/**
 * Looks for the call whose element is used last by this call and its repetitions, with nothing else of it
 * changed in between.
 */
function repeatedCall(kernel: CudaKernel, array: string): Repeated | undefined {
  const loops = itemLoops(kernel);
  const calls = kernel.body.descendantsOfType("call_expression").flatMap((call) => {
    const loop = loops.find((entry) => isInside(call, entry.body));
    const elements = call.descendantsOfType("subscript_expression");
    const [element] = elements;
    const own =
      elements.length === 1 &&
      element?.childForFieldName("argument")?.text === array &&
      loop !== undefined &&
      subscriptIndex(element)?.text === loop.item;
    return own && loop !== undefined && costly.test(compact(call.childForFieldName("function")))
      ? [{ call, loop }]
      : [];
  });
  const [first, ...others] = calls;
  if (first === undefined) return undefined;
  const again = others.filter(
    ({ call, loop }) =>
      compact(call) === compact(first.call) &&
      loop.loop.id !== first.loop.loop.id &&
      loop.count === first.loop.count,
  );
  const last = again.at(-1);
  if (last === undefined) return undefined;
  const otherUses = usesOf(kernel.body, array).filter(
    (use) => use.startIndex > first.call.startIndex && !calls.some(({ call }) => isInside(use, call)),
  );
  const operands = first.call
    .descendantsOfType("identifier")
    .map((node) => node.text)
    .filter(
      (name) =>
        name !== array &&
        name !== first.loop.item &&
        name !== compact(first.call.childForFieldName("function")),
    );
  const between = kernel.body
    .descendantsOfType(["expression_statement", "declaration"])
    .filter(
      (node) => node.endIndex > first.loop.loop.startIndex && node.startIndex < last.loop.loop.endIndex,
    );
  const declared = new Set(
    [first, ...again].flatMap(({ loop }) => localValues(loop.body).map((local) => local.name)),
  );
  const steady = operands.every(
    (name) => !declared.has(name) && between.every((node) => !isAssigned(node, name)),
  );
  const sameGuard = again.every(({ call }) => guardOf(call) === guardOf(first.call));
  return otherUses.length === 0 && again.length === calls.length - 1 && steady && sameGuard
    ? { array, index: first.loop.item, first: first.call, again: again.map(({ call }) => call) }
    : undefined;
}

/** Text of the condition under which the call runs: the result is there only where the first call ran. */
function guardOf(call: RuleNode): string {
  const guard = enclosing(call, ["if_statement", "for_statement"]);
  return guard?.type === "if_statement" ? compact(guard.childForFieldName("condition")) : "";
}
