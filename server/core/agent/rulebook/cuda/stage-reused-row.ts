import type { TextEdit } from "../edits";
import { editedTree, indentOf, insertBefore, replaceNode } from "../edits";
import type { RuleNode } from "../rule";
import { defineRule, fillSentence, threshold } from "../rule-table";
import { enclosing, freshName } from "../syntax";
import type { CudaKernel } from "./kernel-source";
import { cudaKernel } from "./kernel-source";
import { rowReuses } from "./row-reuse";
import type { RowWalks } from "./row-walks";

/**
 * Keeps a row that a block reads several times in shared memory: the first walk fills it and the later walks
 * read it there. Each thread reads back only what it stored itself, so no barrier is needed; columns beyond
 * the staged ones are read from global memory as before.
 */
export const stageReusedRow = defineRule("cuda-stage-reused-row", (input, entry) => {
  const kernel = cudaKernel(input);
  if (kernel === undefined) return [];
  return rowReuses(input, kernel, entry).flatMap(({ walks, bytes, longest, evidence, gain }) => {
    const room = Math.floor(
      (threshold(entry, "sharedBytesMost") - Math.max(0, ...input.facts.map((fact) => fact.sharedBytes))) /
        bytes,
    );
    const granule = threshold(entry, "granule");
    const staged = Math.min(Math.ceil(longest / granule) * granule, Math.floor(room / granule) * granule);
    if (staged <= 0) return [];
    const hypothesis = fillSentence(entry.hypothesis, { array: walks.array, count: staged });
    return [
      {
        tree: editedTree(input, stagingEdits(kernel, walks, staged)),
        hypothesis,
        evidence,
        gain: gain * threshold(entry, "gainFactor"),
      },
    ];
  });
});

function stagingEdits(kernel: CudaKernel, walks: RowWalks, staged: number): readonly TextEdit[] {
  const { array, index, elementType } = walks;
  const title = array.charAt(0).toUpperCase() + array.slice(1);
  const [store, value] = [
    freshName(kernel.source, `staged${title}`),
    freshName(kernel.source, `${array}Value`),
  ];
  const [first, ...others] = walks.loops;
  const outermost = kernel.body.namedChildren.find((node) => node.type !== "comment");
  const opening = first?.body.namedChildren[0];
  if (first === undefined || outermost === undefined || opening === undefined) return [];
  const load = [
    `const ${elementType} ${value} = ${array}[${index}];`,
    `if (${index} < ${staged}) {`,
    `  ${store}[${index}] = ${value};`,
    "}",
  ];
  const inner = indentOf(kernel.source, opening);
  return [
    insertBefore(
      outermost,
      `__shared__ ${elementType} ${store}[${staged}];\n${indentOf(kernel.source, outermost)}`,
    ),
    insertBefore(opening, `${load.join(`\n${inner}`)}\n${inner}`),
    ...first.reads.map((read) => replaceNode(read, value)),
    ...others.flatMap(({ reads }) =>
      reads.map((read) =>
        replaceNode(read, choice(read, `${index} < ${staged} ? ${store}[${index}] : ${read.text}`)),
      ),
    ),
  ];
}

/**
 * A conditional expression needs parentheses unless it is an argument or a whole right-hand side of its own.
 */
function choice(read: RuleNode, text: string): string {
  const whole = read.parent?.type === "argument_list" || read.parent?.type === "init_declarator";
  return whole && enclosing(read, ["binary_expression"]) === undefined ? text : `(${text})`;
}
