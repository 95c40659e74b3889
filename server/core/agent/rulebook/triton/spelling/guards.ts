import { collapse, compact, partsOf, unwrapped } from "../../../../language/query";
import type { TritonModel } from "../../../../language/triton/model";
import type { SyntaxNode } from "../../../../language/tree";
import { freshName, indentOf, outdented, type TextEdit } from "../../edits";

/**
 * The edits that make masks of a condition by which a program behind the end does nothing: `if i < n:` around
 * the rest of the kernel, or `if i >= n: return` in front of it. Undefined where there is no such condition,
 * or the rest does more than load, compute and store.
 */
export function guardsAsMasks(
  model: TritonModel,
  name: string,
  source: string,
): readonly TextEdit[] | undefined {
  const [kernel, ...others] = model.kernels.filter(({ facts }) => facts.name === name);
  const guard = kernel && others.length === 0 ? guardIn(kernel.body) : undefined;
  const [first] = guard?.guarded ?? [];
  if (guard === undefined || first === undefined) return undefined;
  const { statement, guarded, holds, head } = guard;
  const accesses = guarded.flatMap((each) => each.descendantsOfType("call").filter(isAccess));
  const loaded = namesLoaded(guarded);
  if (accesses.length === 0 || !guarded.every((each) => isPlain(each, loaded))) return undefined;
  const live = freshName(source, "inside");
  const indent = indentOf(source, statement);
  const text = `${live} = ${holds}\n${indent}`;
  const begin = head + (/^\s*/.exec(source.slice(head))?.[0].length ?? 0);
  const inner = first.startIndex < statement.endIndex;
  const last = guarded.at(-1) ?? first;
  const columns = indentOf(source, first).length - indent.length;
  return [
    { start: statement.startIndex, end: begin, text },
    ...(inner ? outdented(source, { start: begin, end: last.endIndex }, columns) : []),
    ...accesses.flatMap((call) => maskedBy(call, live)),
  ];
}

interface Guard {
  readonly statement: SyntaxNode;
  readonly guarded: readonly SyntaxNode[];
  /** What holds for programs that have work, in the kernel's words. */
  readonly holds: string;
  /** Where the guard's own text ends. */
  readonly head: number;
}

/** The first condition of a kernel, where it decides about all that follows. */
function guardIn(body: SyntaxNode): Guard | undefined {
  const statements = partsOf(body);
  const statement = statements.find(({ type }) => type === "if_statement");
  const condition = statement && comparisonIn(statement);
  if (!statement || !condition) return undefined;
  const inner = partsOf(statement.childForFieldName("consequence"));
  const behind = statements.filter(({ startIndex }) => startIndex > statement.startIndex);
  if (inner.length === 1 && collapse(inner[0]?.text ?? "") === "return") {
    const holds = turnedRound(condition);
    return holds === undefined ? undefined : { statement, guarded: behind, holds, head: statement.endIndex };
  }
  if (behind.length > 0) return undefined;
  const from = (statement.childForFieldName("condition") ?? condition).endIndex - statement.startIndex;
  const head = statement.startIndex + statement.text.indexOf(":", from) + 1;
  return { statement, guarded: inner, holds: collapse(condition.text), head };
}

/** The comparison that an `if` without an `else` asks, with no call in it. */
function comparisonIn(statement: SyntaxNode): SyntaxNode | undefined {
  const written = statement.childForFieldName("condition");
  const condition = written && unwrapped(written);
  if (condition?.type !== "comparison_operator" || statement.childForFieldName("alternative") !== null)
    return undefined;
  return condition.descendantsOfType("call").length === 0 ? condition : undefined;
}

const turned = new Map([
  [">=", "<"],
  ["<=", ">"],
  [">", "<="],
  ["<", ">="],
]);

/** What holds where a comparison does not. */
function turnedRound(condition: SyntaxNode): string | undefined {
  const [left, right, ...more] = partsOf(condition);
  if (left === undefined || right === undefined || more.length > 0) return undefined;
  const operator = turned.get(condition.text.slice(left.text.length, -right.text.length).trim());
  return operator && `${left.text} ${operator} ${right.text}`;
}

/** True for what a program behind the end may do with masked accesses: its loops end whatever is loaded. */
function isPlain(statement: SyntaxNode, loaded: ReadonlySet<string>): boolean {
  if (!/^(?:expression_statement|for_statement)$/.test(statement.type)) return false;
  if (statement.descendantsOfType(["if_statement", "while_statement", "return_statement"]).length > 0)
    return false;
  return statement.descendantsOfType("for_statement").every((loop) => {
    const range = loop.childForFieldName("right");
    const names = range?.descendantsOfType("identifier").map(({ text }) => text) ?? [];
    return range?.type === "call" && !names.some((each) => loaded.has(each));
  });
}

/** Names whose values come out of memory. */
function namesLoaded(statements: readonly SyntaxNode[]): ReadonlySet<string> {
  const loaded = new Set<string>();
  const acts = statements.flatMap((each) => each.descendantsOfType(["assignment", "augmented_assignment"]));
  for (let before = -1; before !== loaded.size;) {
    before = loaded.size;
    for (const act of acts) {
      const value = act.childForFieldName("right");
      const follows =
        value?.descendantsOfType("call").some(isAccess) === true ||
        value?.descendantsOfType("identifier").some(({ text }) => loaded.has(text)) === true;
      const target = act.childForFieldName("left");
      if (follows) for (const { text } of target?.descendantsOfType("identifier") ?? []) loaded.add(text);
    }
  }
  return loaded;
}

function isAccess(call: SyntaxNode): boolean {
  return /^\w+(?:\.\w+)*\.(?:load|store|atomic_\w+)$/.test(compact(call.childForFieldName("function")));
}

/** The call with one more condition in its mask. */
function maskedBy(call: SyntaxNode, live: string): readonly TextEdit[] {
  const parts = partsOf(call.childForFieldName("arguments"));
  const named = parts.find(
    (part) => part.type === "keyword_argument" && part.childForFieldName("name")?.text === "mask",
  );
  const places = parts.filter(({ type }) => type !== "keyword_argument");
  const reads = compact(call.childForFieldName("function")).endsWith(".load");
  const mask = named?.childForFieldName("value") ?? places[reads ? 1 : 2];
  const last = parts.at(-1);
  if (mask === undefined)
    return last === undefined ? [] : [{ start: last.endIndex, end: last.endIndex, text: `, mask=${live}` }];
  return [
    { start: mask.startIndex, end: mask.startIndex, text: "(" },
    { start: mask.endIndex, end: mask.endIndex, text: `) & ${live}` },
  ];
}
