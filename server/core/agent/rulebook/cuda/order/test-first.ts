import { isPure } from "../../../../language/cuda/body/scope";
import { collapse, fieldText, lineOf, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { effectsOf, type StatementEffects, workIn } from "./statement-effects";

const loops = ["for_statement", "while_statement"];

/**
 * Asks first what decides whether the result of much work is used at all: `if (mask[i]) out[i] = sum;`
 * behind the loops that make up the sum.
 */
export const testFirst = defineRule("cuda-test-first", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const blocks = [
    view.body,
    ...view.body.descendantsOfType(loops).map((loop) => loop.childForFieldName("body")),
  ];
  const tests = blocks.flatMap((block) =>
    block?.type === "compound_statement" ? (lateTest(view, block) ?? []) : [],
  );
  const [best] = tests
    .map((test) => ({ test, value: workIn(input, view, test.work) }))
    .sort((a, b) => b.value - a.value);
  if (best === undefined)
    return not("no-pattern", "no work stands in front of a condition that it is not needed for", view.line);
  const { test, value } = best;
  const share = shareSaved(value, input.counters.totals.instructions);
  if (share < threshold(entry, "shareLeast"))
    return not("no-evidence", "little work is done before it is known whether it is needed", test.branch);
  const saved = unneededShare(input, test) ?? threshold(entry, "savedShare");
  if (saved === 0)
    return not("no-evidence", "all threads need the work in front of the condition", test.branch);
  const condition = collapse(conditionOf(test.branch)?.text ?? "");
  const facts = {
    ...{ file: input.file, line: lineOf(test.branch), counter: "instructions" as const },
    ...{ value, ideal: Math.round(value * (1 - saved)) },
  };
  return {
    kind: "proposal",
    tree: editedTree(input, edits(view, test)),
    hypothesis: fillSentence(entry.hypothesis, { condition, line: lineOf(test.work[0]) }),
    evidence: evidenceFor(entry, facts, { condition }),
    gain: gainOn(input, ["issue", "latency", "l1", "l2", "dram", "fp32", "special"], share * saved),
  };
});

/** How many of the threads take the branch without the work, where lines of its own tell it. */
function unneededShare(input: RuleInput, { user, other }: LateTest): number | undefined {
  if (other === undefined) return undefined;
  const isApart =
    user.endPosition.row < other.startPosition.row || other.endPosition.row < user.startPosition.row;
  const [own, others] = [user, other].map((node) => countsOf(input, node).globalStoreBytes);
  return isApart && own !== undefined && others !== undefined && own + others > 0
    ? others / (own + others)
    : undefined;
}

interface LateTest {
  readonly branch: SyntaxNode;
  /** Statements whose result one branch alone uses. */
  readonly work: readonly [SyntaxNode, ...SyntaxNode[]];
  /** Statements among them that the condition and the other branch need. */
  readonly needed: readonly SyntaxNode[];
  /** The branch that does without the work; undefined where there is none. */
  readonly other: SyntaxNode | undefined;
  /** The branch that uses it. */
  readonly user: SyntaxNode;
  /** True where the work is used when the condition holds. */
  readonly holds: boolean;
  /** What leaves the block. */
  readonly leave: "return" | "continue";
}

/** A condition at the end of a block that could have been asked in front of the work before it. */
function lateTest(view: KernelView, block: SyntaxNode): LateTest | undefined {
  const statements = partsOf(block);
  const branch = statements.at(-1);
  const condition = branch && conditionOf(branch);
  const consequence = branch?.childForFieldName("consequence");
  if (branch?.type !== "if_statement" || condition === undefined || !consequence) return undefined;
  if (!isPure(condition)) return undefined;
  const [alternative] = partsOf(branch.childForFieldName("alternative"));
  const before = statements.slice(0, -1).filter(({ type }) => type !== "comment");
  const effects = before.map((statement) => effectsOf(view, statement));
  const leave = block.id === view.body.id ? "return" : "continue";
  const ways = [
    { user: consequence, other: alternative, holds: true },
    ...(alternative === undefined ? [] : [{ user: alternative, other: consequence, holds: false }]),
  ];
  for (const way of ways) {
    const names = [condition, ...(way.other === undefined ? [] : [way.other])].flatMap(namesOf);
    const found = workBefore(before, effects, names);
    if (found !== undefined) return { branch, leave, ...way, ...found };
  }
  return undefined;
}

/** The last statements of a block that do nothing but work which some names do not depend on. */
function workBefore(
  before: readonly SyntaxNode[],
  effects: readonly StatementEffects[],
  names: readonly string[],
): Pick<LateTest, "work" | "needed"> | undefined {
  const wanted = new Set(names);
  const work: SyntaxNode[] = [];
  const needed: SyntaxNode[] = [];
  for (let place = before.length - 1; place >= 0; place -= 1) {
    const [statement, effect] = [before[place], effects[place]];
    if (statement === undefined || effect === undefined || effect.acts) break;
    if ([...effect.sets].some((name) => wanted.has(name))) {
      // What is moved up has to be a value of its own, of which nothing in between knows.
      if (statement.type !== "declaration") break;
      for (const name of effect.reads) wanted.add(name);
      needed.unshift(statement);
    } else work.unshift(statement);
  }
  const [start, ...rest] = work;
  if (start === undefined) return undefined;
  return {
    work: [start, ...rest],
    needed: needed.filter(({ startIndex }) => startIndex > start.startIndex),
  };
}

function namesOf(node: SyntaxNode): readonly string[] {
  return node.descendantsOfType("identifier").map(({ text }) => text);
}

/** Undefined for a condition that declares something. */
function conditionOf(branch: SyntaxNode): SyntaxNode | undefined {
  const clause = branch.childForFieldName("condition");
  const value = clause?.childForFieldName("value");
  return clause?.childForFieldName("initializer") || value?.type === "declaration"
    ? undefined
    : (value ?? undefined);
}

const opposites: Readonly<Record<string, string>> = { "==": "!=", "!=": "==" };

/** The condition turned round; comparisons of floats are not, for what is no number. */
function turned(condition: SyntaxNode): string {
  const inner = unwrapped(condition);
  const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
  const operator = fieldText(inner, "operator");
  const opposite = opposites[operator];
  if (inner.type === "binary_expression" && opposite !== undefined && left && right)
    return `${left.text} ${opposite} ${right.text}`;
  if (inner.type === "unary_expression" && operator === "!")
    return inner.childForFieldName("argument")?.text ?? "";
  return /^[\w.[\]]+$/.test(inner.text) ? `!${inner.text}` : `!(${inner.text})`;
}

function edits({ source }: KernelView, test: LateTest): readonly TextEdit[] {
  const { branch, work, needed, other, user, holds, leave } = test;
  const condition = conditionOf(branch) ?? branch;
  const [first] = work;
  const indent = indentOf(source, first);
  const step = other === undefined ? [] : statementsOf(other);
  const asked = holds ? turned(condition) : condition.text;
  const lines = [
    ...needed.map((node) => source.slice(node.startIndex, withComment(node))),
    ...(step.length === 0
      ? [`if (${asked}) ${leave};`]
      : [`if (${asked}) {`, ...step.map(({ text }) => `  ${text}`), `  ${leave};`, "}"]),
  ];
  const declares = user.descendantsOfType("declaration").length > 0;
  const used = declares ? [user.text] : statementsOf(user).map(({ text }) => text);
  return [
    insertBefore(first, lines.map((line) => `${line}\n${indent}`).join("")),
    ...needed.map((node) => ({ start: node.startIndex, end: withComment(node), text: "" })),
    replaceNode(branch, used.join(`\n${indentOf(source, branch)}`)),
  ];
}

/** The end of a statement with the comment behind it on its line. */
function withComment({ endIndex, endPosition, nextNamedSibling }: SyntaxNode): number {
  const isBeside =
    nextNamedSibling?.type === "comment" && nextNamedSibling.startPosition.row === endPosition.row;
  return isBeside ? nextNamedSibling.endIndex : endIndex;
}

function statementsOf(node: SyntaxNode): readonly SyntaxNode[] {
  return node.type === "compound_statement" ? node.namedChildren : [node];
}
