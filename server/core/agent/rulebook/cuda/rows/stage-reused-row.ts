import { invariant } from "../../../../base/assert";
import { statementsOf } from "../../../../language/cuda/body/loops";
import { enclosing, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { not, type RuleAnswer, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import type { KernelView } from "../kernel";
import { forReusedRows, type RowReuse } from "./row-reuse";
import type { RowWalks } from "./row-walks";

/**
 * Keeps a row that a block reads several times in shared memory: the first walk fills it and the later walks
 * read it there. Each thread reads back only what it stored itself, so no barrier is needed; columns beyond
 * the staged ones are read from global memory as before.
 */
export const stageReusedRow = defineRule("cuda-stage-reused-row", (input, entry) =>
  forReusedRows(input, entry, {
    of: "block",
    rewrite: (view, reuse) => staged(input, entry, { view, reuse }),
  }),
);

function staged(
  input: RuleInput,
  entry: RuleEntry,
  { view, reuse }: { readonly view: KernelView; readonly reuse: RowReuse },
): RuleAnswer {
  const { row, bytes, longest, evidence, gain } = reuse;
  const [store] = row.walks.flatMap(({ stores }) => stores);
  if (store !== undefined) return not("dependence", `the walks change ${row.array}`, store);
  const used = Math.max(0, ...input.facts.map((fact) => fact.sharedBytes));
  const room = Math.floor((threshold(entry, "sharedBytesMost") - used) / bytes);
  const granule = threshold(entry, "granule");
  const count = Math.min(Math.ceil(longest / granule) * granule, Math.floor(room / granule) * granule);
  if (count <= 0) return not("limit", `${used} bytes of shared memory leave no room for a row`, row.end);
  return {
    kind: "proposal",
    tree: editedTree(input, stagingEdits(view, row, count)),
    hypothesis: fillSentence(entry.hypothesis, { array: row.array, count }),
    evidence,
    gain: gain * threshold(entry, "gainFactor"),
  };
}

function stagingEdits(view: KernelView, row: RowWalks, count: number): readonly TextEdit[] {
  const { array, elementType, walks } = row;
  const title = array.charAt(0).toUpperCase() + array.slice(1);
  const store = freshName(view.source, `staged${title}`);
  const value = freshName(view.source, `${array}Value`);
  const [first, ...others] = walks;
  const [outermost] = partsOf(view.body);
  invariant(outermost !== undefined, "a body with a walk has a statement");
  const { variable } = first.loop;
  const load = [
    `const ${elementType} ${value} = ${row.element};`,
    `if (${variable} < ${count}) {`,
    `  ${store}[${variable}] = ${value};`,
    "}",
  ];
  const declaration = `__shared__ ${elementType} ${store}[${count}];\n${indentOf(view.source, outermost)}`;
  return [
    insertBefore(outermost, declaration),
    ...openingOf(view, first.loop.body, load),
    ...first.reads.map((read) => replaceNode(read, value)),
    ...others.flatMap(({ loop, reads }) =>
      reads.map((read) =>
        replaceNode(
          read,
          choice(read, `${loop.variable} < ${count} ? ${store}[${loop.variable}] : ${read.text}`),
        ),
      ),
    ),
  ];
}

/** Puts lines before the first statement of a body, in braces where it has none. */
function openingOf(view: KernelView, body: SyntaxNode, lines: readonly string[]): readonly TextEdit[] {
  const [opening] = statementsOf(body);
  invariant(opening !== undefined, "a walk that reads the row has a statement");
  if (body.type === "compound_statement") {
    const inner = indentOf(view.source, opening);
    return [insertBefore(opening, `${lines.join(`\n${inner}`)}\n${inner}`)];
  }
  const outer = indentOf(view.source, body);
  const inner = `${outer}  `;
  return [
    insertBefore(body, `{\n${inner}${lines.join(`\n${inner}`)}\n${inner}`),
    { start: body.endIndex, end: body.endIndex, text: `\n${outer}}` },
  ];
}

/**
 * A conditional expression needs parentheses unless it is an argument or a whole right-hand side of its own.
 */
function choice(read: SyntaxNode, text: string): string {
  const whole = read.parent?.type === "argument_list" || read.parent?.type === "init_declarator";
  return whole && enclosing(read, "binary_expression") === undefined ? text : `(${text})`;
}
