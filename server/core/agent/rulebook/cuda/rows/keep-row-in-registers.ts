import { statementsOf } from "../../../../language/cuda/body/loops";
import { localValues } from "../../../../language/cuda/body/scope";
import { enclosing, fieldText, isInside } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import {
  editedText,
  editedTree,
  freshName,
  indentOf,
  insertBefore,
  replaceNode,
  type TextEdit,
} from "../../edits";
import { not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import type { KernelView } from "../kernel";
import { forReusedRows, type RowReuse } from "./row-reuse";
import type { RowWalk, RowWalks } from "./row-walks";

/**
 * Keeps a thread's part of a row that is walked several times in registers: a fixed number of unrolled steps
 * covers the rows of the spec, and the loop as it was takes what lies beyond. The elements are visited in the
 * same order, so the result is the same to the last bit.
 */
export const keepRowInRegisters = defineRule("cuda-keep-row-in-registers", (input, entry) =>
  forReusedRows(input, entry, {
    of: "threads",
    rewrite: (view, reuse) => kept(input, entry, { view, reuse }),
  }),
);

function kept(
  input: RuleInput,
  entry: RuleEntry,
  { view, reuse }: { readonly view: KernelView; readonly reuse: RowReuse },
): RuleAnswer {
  const { row, longest, bytes, evidence, gain } = reuse;
  const turns = Math.ceil(longest / row.stride);
  const most = threshold(entry, "itemsMost");
  const held = notUnrollable(row);
  if (held !== undefined) return held;
  if (bytes > 4) return not("type", `an element of ${row.array} takes more than one register`, row.end);
  // Of a longer row a thread keeps the beginning, as long as that is most of it.
  if (turns < 1 || turns > most / threshold(entry, "partLeast"))
    return not("limit", `a thread would have to keep ${turns} elements of ${row.array}`, row.end);
  const items = Math.min(turns, most);
  const [{ loop, reads }] = row.walks;
  const [read] = reads;
  if (!row.isMade && read !== undefined && placedInside(loop, read) && !isInEachTurn(loop, read))
    return not("dependence", `${read.text} is not read in each turn`, read);
  const hypothesis = fillSentence(entry.hypothesis, { array: row.array, items });
  const tree = editedTree(input, registerEdits(view, row, items));
  return { kind: "proposal", tree, hypothesis, evidence, gain: gain * (items / turns) };
}

function notUnrollable({ walks }: RowWalks): RuleHold | undefined {
  for (const { loop } of walks) {
    const [exit] = loop.body.descendantsOfType(["break_statement", "return_statement", "goto_statement"]);
    if (exit !== undefined) return not("dependence", "a walk may end early", exit);
    if (loop.body.text.includes("#")) return not("unreadable", "a walk holds a directive", loop.body);
  }
  return undefined;
}

function registerEdits(view: KernelView, row: RowWalks, items: number): readonly TextEdit[] {
  const { array, elementType } = row;
  const kept = freshName(view.source, `${array}Kept`);
  const item = freshName(view.source, "item");
  const [first] = row.walks;
  const declaration = `${elementType} ${kept}[${items}];\n${indentOf(view.source, first.loop.loop)}`;
  const { fill, filled } = fillOf(row, kept, item);
  return [
    insertBefore(first.loop.loop, declaration),
    ...row.walks.flatMap((walk) => {
      const own = walk === first;
      return unrolledWalk(view, walk, {
        ...{ kept, item, items },
        fill: own ? fill : undefined,
        filled: own ? filled : undefined,
      });
    }),
  ];
}

/**
 * How the first walk keeps an element: by a statement in front of all others, or where it is read, if names
 * of the loop say where it lies.
 */
function fillOf(
  { walks: [{ loop, reads }], isMade, element }: RowWalks,
  kept: string,
  item: string,
): Pick<Unrolling, "fill" | "filled"> {
  if (isMade) return { fill: undefined, filled: undefined };
  const [read] = reads;
  return read !== undefined && placedInside(loop, read)
    ? { fill: undefined, filled: { node: read, text: `(${kept}[${item}] = ${element})` } }
    : { fill: `${kept}[${item}] = ${element};`, filled: undefined };
}

/** True where names of the loop's body say where an element lies. */
function placedInside({ body }: RowWalk["loop"], read: SyntaxNode): boolean {
  const own = new Set(localValues(body).map(({ name }) => name));
  return read.descendantsOfType("identifier").some(({ text }) => own.has(text));
}

const choices = [
  "if_statement",
  "for_statement",
  "while_statement",
  "do_statement",
  "conditional_expression",
];

/** False for what stands in a condition's branch, behind `&&` or `continue`, or in a further loop. */
function isInEachTurn({ body }: RowWalk["loop"], read: SyntaxNode): boolean {
  const choice = enclosing(read, ...choices);
  const leaves = body.descendantsOfType("continue_statement");
  const chained = body
    .descendantsOfType("binary_expression")
    .some((node) => ["&&", "||"].includes(fieldText(node, "operator")) && isInside(read, node));
  return (choice === undefined || !isInside(choice, body)) && leaves.length === 0 && !chained;
}

interface Unrolling {
  readonly kept: string;
  readonly item: string;
  readonly items: number;
  /** The statement that keeps the element in the first walk. */
  readonly fill: string | undefined;
  /** The read that keeps it there in its place. */
  readonly filled: { readonly node: SyntaxNode; readonly text: string } | undefined;
}

/** The unrolled steps before the loop, and the loop's start behind them. */
function unrolledWalk(
  view: KernelView,
  { loop, reads, stores }: RowWalk,
  { kept, item, items, fill, filled }: Unrolling,
): readonly TextEdit[] {
  const { variable, type, start, step, bound } = loop;
  const indent = indentOf(view.source, loop.loop);
  const edits = [
    ...reads.map((read) => replaceNode(read, read.id === filled?.node.id ? filled.text : `${kept}[${item}]`)),
    // The element is stored as before; later walks find it in its register.
    ...stores.map((store) => replaceNode(store, `${store.text} = ${kept}[${item}]`)),
  ];
  const at = (turns: number | string): string => positionText({ start, step }, turns);
  const unrolled = [
    "#pragma unroll",
    `${indent}for (int ${item} = 0; ${item} < ${items}; ++${item}) {`,
    `${indent}  ${type} ${variable} = ${at(item)};`,
    `${indent}  if (${variable} < ${bound.text}) {`,
    ...(fill === undefined ? [] : [`${indent}    ${fill}`]),
    ...bodyLines(view, loop.body, edits),
    `${indent}  }`,
    `${indent}}`,
  ];
  return [insertBefore(loop.loop, `${unrolled.join("\n")}\n${indent}`), replaceNode(loop.start, at(items))];
}

/** Where a walk is after some turns. */
function positionText({ start, step }: Pick<RowWalk["loop"], "start" | "step">, turns: number | string) {
  const operand = (node: SyntaxNode): string =>
    node.type === "binary_expression" || node.type === "conditional_expression"
      ? `(${node.text})`
      : node.text;
  const first = start.text === "0" ? "" : `${operand(start)} + `;
  return step.amount === undefined ? `${first}${turns}` : `${first}${turns} * ${operand(step.amount)}`;
}

/** The statements of a body with its edits applied, one step further in. */
function bodyLines(
  view: KernelView,
  body: RowWalk["loop"]["body"],
  edits: readonly TextEdit[],
): readonly string[] {
  const range = { start: body.startIndex, end: body.endIndex };
  if (body.type === "compound_statement")
    return editedText(view.source, range, edits)
      .slice(1, -1)
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => `  ${line}`);
  const indent = `${indentOf(view.source, body)}    `;
  return statementsOf(body).map((_, position) =>
    position === 0 ? `${indent}${editedText(view.source, range, edits)}` : "",
  );
}
