import type { TextEdit } from "../edits";
import { editedTree, indentOf, insertBefore, replaceNode } from "../edits";
import { defineRule, fillSentence, threshold } from "../rule-table";
import { freshName } from "../syntax";
import type { CudaKernel } from "./kernel-source";
import { cudaKernel } from "./kernel-source";
import { rowReuses } from "./row-reuse";
import type { RowWalks } from "./row-walks";

/**
 * Keeps a thread's part of a row that is walked several times in registers: a fixed number of unrolled steps
 * covers the rows of the spec, and the loop as it was takes what lies beyond. The elements are visited in the
 * same order, so the result is the same to the last bit.
 */
export const keepRowInRegisters = defineRule("cuda-keep-row-in-registers", (input, entry) => {
  const kernel = cudaKernel(input);
  if (kernel === undefined) return [];
  return rowReuses(input, kernel, entry).flatMap(({ walks, longest, threads, evidence, gain }) => {
    const items = Math.ceil(longest / threads);
    const leaves = walks.loops.some(
      ({ body }) =>
        body.descendantsOfType(["break_statement", "return_statement", "goto_statement"]).length > 0,
    );
    if (
      items < 1 ||
      walks.loops.some(({ body }) => body.text.includes("#")) ||
      items > threshold(entry, "itemsMost") ||
      leaves ||
      walks.elementType === "double"
    )
      return [];
    const hypothesis = fillSentence(entry.hypothesis, { array: walks.array, items });
    return [{ tree: editedTree(input, registerEdits(kernel, walks, items)), hypothesis, evidence, gain }];
  });
});

function registerEdits(kernel: CudaKernel, walks: RowWalks, items: number): readonly TextEdit[] {
  const { array, index, end, elementType } = walks;
  const kept = freshName(kernel.source, `${array}Kept`);
  const item = freshName(kernel.source, "item");
  const [first] = walks.loops;
  if (first === undefined) return [];
  const declared = insertBefore(
    first.loop,
    `${elementType} ${kept}[${items}];\n${indentOf(kernel.source, first.loop)}`,
  );
  return [
    declared,
    ...walks.loops.flatMap(({ loop, body, reads }, position) => {
      const indent = indentOf(kernel.source, loop);
      const declarator = loop.childForFieldName("initializer")?.descendantsOfType("init_declarator")[0];
      const start = declarator?.childForFieldName("value");
      const type = loop.childForFieldName("initializer")?.childForFieldName("type")?.text;
      if (!start || type === undefined) return [];
      const unrolled = [
        "#pragma unroll",
        `${indent}for (int ${item} = 0; ${item} < ${items}; ++${item}) {`,
        `${indent}  ${type} ${index} = threadIdx.x + ${item} * blockDim.x;`,
        `${indent}  if (${index} < ${end}) {`,
        ...(position === 0 ? [`${indent}    ${kept}[${item}] = ${array}[${index}];`] : []),
        ...bodyLines(
          kernel.source,
          body,
          reads.map((read) => replaceNode(read, `${kept}[${item}]`)),
        ).map((line) => (line === "" ? "" : `  ${line}`)),
        `${indent}  }`,
        `${indent}}`,
      ];
      return [
        insertBefore(loop, `${unrolled.join("\n")}\n${indent}`),
        replaceNode(start, `threadIdx.x + ${items} * blockDim.x`),
      ];
    }),
  ];
}

/** The lines between the braces of a body, with its edits applied. */
function bodyLines(
  source: string,
  body: RowWalks["loops"][number]["body"],
  edits: readonly TextEdit[],
): readonly string[] {
  let text = source.slice(body.startIndex, body.endIndex);
  for (const edit of [...edits].sort((a, b) => b.start - a.start)) {
    text = text.slice(0, edit.start - body.startIndex) + edit.text + text.slice(edit.end - body.startIndex);
  }
  return text
    .slice(1, -1)
    .split("\n")
    .filter((line) => line.trim() !== "");
}
