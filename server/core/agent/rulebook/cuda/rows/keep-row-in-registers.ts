import { statementsOf } from "../../../../language/cuda/body/loops";
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
  forReusedRows(input, entry, (view, reuse) => kept(input, entry, { view, reuse })),
);

function kept(
  input: RuleInput,
  entry: RuleEntry,
  { view, reuse }: { readonly view: KernelView; readonly reuse: RowReuse },
): RuleAnswer {
  const { row, longest, threads, bytes, evidence, gain } = reuse;
  const items = Math.ceil(longest / threads);
  const held = notUnrollable(row);
  if (held !== undefined) return held;
  if (bytes > 4) return not("type", `an element of ${row.array} takes more than one register`, row.end);
  if (items < 1 || items > threshold(entry, "itemsMost"))
    return not("limit", `a thread would have to keep ${items} elements of ${row.array}`, row.end);
  const hypothesis = fillSentence(entry.hypothesis, { array: row.array, items });
  const tree = editedTree(input, registerEdits(view, row, items));
  return { kind: "proposal", tree, hypothesis, evidence, gain };
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
  return [
    insertBefore(first.loop.loop, declaration),
    ...row.walks.flatMap((walk) =>
      unrolledWalk(view, walk, {
        ...{ kept, item, items, end: row.end.text },
        fill: walk === first && !row.isMade ? row.element : undefined,
      }),
    ),
  ];
}

interface Unrolling {
  readonly kept: string;
  readonly item: string;
  readonly items: number;
  readonly end: string;
  /** The element that is kept in the first walk. */
  readonly fill: string | undefined;
}

/** The unrolled steps before the loop, and the loop's start behind them. */
function unrolledWalk(
  view: KernelView,
  { loop, reads, stores }: RowWalk,
  { kept, item, items, end, fill }: Unrolling,
): readonly TextEdit[] {
  const { variable, type } = loop;
  const indent = indentOf(view.source, loop.loop);
  const edits = [
    ...reads.map((read) => replaceNode(read, `${kept}[${item}]`)),
    // The element is stored as before; later walks find it in its register.
    ...stores.map((store) => replaceNode(store, `${store.text} = ${kept}[${item}]`)),
  ];
  const unrolled = [
    "#pragma unroll",
    `${indent}for (int ${item} = 0; ${item} < ${items}; ++${item}) {`,
    `${indent}  ${type} ${variable} = threadIdx.x + ${item} * blockDim.x;`,
    `${indent}  if (${variable} < ${end}) {`,
    ...(fill === undefined ? [] : [`${indent}    ${kept}[${item}] = ${fill};`]),
    ...bodyLines(view, loop.body, edits),
    `${indent}  }`,
    `${indent}}`,
  ];
  return [
    insertBefore(loop.loop, `${unrolled.join("\n")}\n${indent}`),
    replaceNode(loop.start, `threadIdx.x + ${items} * blockDim.x`),
  ];
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
