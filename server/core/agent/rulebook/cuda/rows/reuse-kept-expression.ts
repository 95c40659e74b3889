import { arraysOf, type KernelArray, subscriptIndex } from "../../../../language/cuda/body/arrays";
import { isAssigned, localValues } from "../../../../language/cuda/body/scope";
import { compact, enclosing, isInside, lineOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, indentOf, insertBefore, replaceNode } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { type ItemLoop, itemLoops } from "../elements/item-loops";
import { cudaKernel, type KernelView } from "../kernel";

/** Functions of one argument that cost several instructions and depend on nothing else. */
const costly = /^(expf?|__expf|exp2f?|logf?|log2f?|sqrtf?|rsqrtf?|sinf?|cosf?|tanhf?|erff?|powf?)$/;

interface OwnCall {
  readonly call: SyntaxNode;
  readonly loop: ItemLoop;
}

/** The same costly call on the same element of a thread's own array in two unrolled loops. */
interface Repeated {
  readonly array: string;
  readonly index: string;
  readonly first: SyntaxNode;
  readonly again: readonly [SyntaxNode, ...SyntaxNode[]];
}

/**
 * Keeps the result of a costly function where an unrolled loop computes it again: the element of the thread's
 * own array is overwritten by the result, which is taken up where the call stood again.
 */
export const reuseKeptExpression = defineRule("cuda-reuse-kept-expression", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const arrays = arraysOf(view.body).filter(
    ({ storage, sizes }) => storage === "local" && sizes.length === 1,
  );
  if (arrays.length === 0) return not("no-pattern", "no thread has an array of its own", view.line);
  return arrays.map((array) => {
    const repeated = repeatedCall(view, array);
    return isNot(repeated) ? repeated : proposalFor(input, entry, { view, repeated });
  });
});

function proposalFor(
  input: RuleInput,
  entry: RuleEntry,
  { view, repeated }: { readonly view: KernelView; readonly repeated: Repeated },
): RuleAnswer {
  const { first, again, array, index } = repeated;
  const [line] = again;
  const statement = enclosing(first, "expression_statement", "declaration");
  const counts = countsOf(input, enclosing(line, "expression_statement", "declaration") ?? line);
  const share = shareSaved(counts.instructions, input.counters.totals.instructions);
  if (statement === undefined) return not("unreadable", "the call stands in no statement of its own", first);
  if (share < threshold(entry, "shareLeast"))
    return not("no-evidence", `computing ${first.text} again costs little`, line);
  const element = `${array}[${index}]`;
  const edits = [
    insertBefore(statement, `${element} = ${first.text};\n${indentOf(view.source, statement)}`),
    ...[first, ...again].map((call) => replaceNode(call, element)),
  ];
  const facts = {
    file: input.file,
    line: lineOf(line),
    counter: "instructions" as const,
    value: counts.instructions,
    ideal: Math.ceil(counts.instructions / 2),
  };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { expression: first.text }),
    evidence: evidenceFor(entry, facts, { expression: first.text }),
    gain: gainOn(input, ["issue"], share / 2),
  };
}

/**
 * Looks for the call whose element is used last by this call and its repetitions, with nothing else of it
 * changed in between.
 */
function repeatedCall(view: KernelView, array: KernelArray): Repeated | RuleHold {
  const calls = callsOn(view, array.name);
  const [first, ...others] = calls;
  if (first === undefined)
    return not("no-pattern", `no costly function is computed of ${array.name}`, array.declaration);
  const again = others.filter((other) => isRepetition(first, other));
  const [second, ...more] = again;
  if (second === undefined || again.length !== others.length)
    return not("no-pattern", `no later loop computes ${compact(first.call)} again`, first.call);
  const last = again.at(-1) ?? second;
  const needed = usesOf(view.body, array.name).find(
    (use) => use.startIndex > first.call.startIndex && !calls.some(({ call }) => isInside(use, call)),
  );
  if (needed !== undefined) return not("dependence", `${array.name} itself is used later on`, needed);
  const changing = changingOperand(view, array.name, { first, last, again });
  if (changing !== undefined) return changing;
  const unguarded = again.find(({ call }) => guardOf(call) !== guardOf(first.call));
  if (unguarded !== undefined)
    return not("dependence", "the calls do not run under the same condition", unguarded.call);
  return {
    array: array.name,
    index: first.loop.variable,
    first: first.call,
    again: [second.call, ...more.map(({ call }) => call)],
  };
}

/** Costly calls on the array's element of the loop that they stand in. */
function callsOn(view: KernelView, array: string): readonly OwnCall[] {
  const loops = itemLoops(view);
  return view.body.descendantsOfType("call_expression").flatMap((call) => {
    const loop = loops.find((entry) => isInside(call, entry.body));
    const [element, ...more] = call.descendantsOfType("subscript_expression");
    if (loop === undefined || element === undefined || more.length > 0) return [];
    const own =
      element.childForFieldName("argument")?.text === array &&
      subscriptIndex(element)?.text === loop.variable;
    return own && costly.test(compact(call.childForFieldName("function"))) ? [{ call, loop }] : [];
  });
}

function isRepetition(first: OwnCall, other: OwnCall): boolean {
  return (
    compact(other.call) === compact(first.call) &&
    other.loop.loop.id !== first.loop.loop.id &&
    other.loop.count === first.loop.count
  );
}

/** An operand of the call that is another variable in the later loop, or may change before it. */
function changingOperand(
  view: KernelView,
  array: string,
  {
    first,
    last,
    again,
  }: { readonly first: OwnCall; readonly last: OwnCall; readonly again: readonly OwnCall[] },
): RuleHold | undefined {
  const own = [array, first.loop.variable, compact(first.call.childForFieldName("function"))];
  const operands = first.call.descendantsOfType("identifier").filter((node) => !own.includes(node.text));
  const between = view.body
    .descendantsOfType(["expression_statement", "declaration"])
    .filter(
      (node) => node.endIndex > first.loop.loop.startIndex && node.startIndex < last.loop.loop.endIndex,
    );
  const declared = new Set(
    [first, ...again].flatMap(({ loop }) => localValues(loop.body).map((local) => local.name)),
  );
  const changing = operands.find(
    ({ text }) => declared.has(text) || between.some((node) => isAssigned(node, text)),
  );
  return changing && not("dependence", `${changing.text} may change in between`, changing);
}

/** Text of the condition under which the call runs: the result is there only where the first call ran. */
function guardOf(call: SyntaxNode): string {
  const guard = enclosing(call, "if_statement", "for_statement");
  return guard?.type === "if_statement" ? compact(guard.childForFieldName("condition")) : "";
}
