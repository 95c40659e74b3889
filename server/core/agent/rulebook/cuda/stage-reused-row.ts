import type { TextEdit } from "../edits";
import { editedTree, indentOf, insertBefore, replaceNode } from "../edits";
import { countsOf, evidenceFor, shareSaved } from "../evidence";
import type { RuleInput, RuleNode } from "../rule";
import { defineRule, fillSentence, threshold } from "../rule-table";
import { enclosing, freshName, lineOf } from "../syntax";
import type { CudaKernel } from "./kernel-source";
import { cudaKernel, scalarBytes } from "./kernel-source";
import { blockShape } from "./launch-site";
import type { RowWalks } from "./row-walks";
import { rowWalks } from "./row-walks";

/**
 * Keeps a row that a block reads several times in shared memory: the first walk fills it and the later walks read it there. Each thread
 * reads back only what it stored itself, so no barrier is needed; columns beyond the staged ones are read from global memory as before.
 */
export const stageReusedRow = defineRule("cuda-stage-reused-row", (input, entry) => {
  const kernel = cudaKernel(input);
  const block = kernel === undefined ? undefined : blockShape(input, kernel);
  if (kernel === undefined || block === undefined || block.sizes[1] !== 1 || block.sizes[2] !== 1) return [];
  return rowWalks(kernel).flatMap((walks) => {
    const bytes = scalarBytes(walks.elementType);
    const longest = longestRow(input, kernel, walks.end);
    if (bytes === undefined || longest === undefined) return [];
    const room = Math.floor((threshold(entry, "sharedBytesMost") - Math.max(0, ...input.facts.map((fact) => fact.sharedBytes))) / bytes);
    const granule = threshold(entry, "granule");
    const staged = Math.min(Math.ceil(longest / granule) * granule, Math.floor(room / granule) * granule);
    const again = walks.loops.slice(1).map(({ loop, reads }) => ({ line: lineOf(reads[0] ?? loop), sectors: countsOf(input, loop).globalLoadSectors }));
    const saved = again.reduce((sum, { sectors }) => sum + sectors, 0);
    const [worst] = [...again].sort((a, b) => b.sectors - a.sectors);
    if (staged <= 0 || worst === undefined || shareSaved(saved, input.counters.totals.globalLoadSectors) < threshold(entry, "shareLeast")) return [];
    const facts = { file: input.file, line: worst.line, counter: "globalLoadSectors" as const, value: worst.sectors, ideal: 0 };
    return [{
      tree: editedTree(input, stagingEdits(kernel, walks, staged)),
      hypothesis: fillSentence(entry.hypothesis, { array: walks.array, count: staged }),
      evidence: evidenceFor(entry, facts, { array: walks.array, times: walks.loops.length }),
      gain: shareSaved(saved, input.counters.totals.globalLoadSectors + input.counters.totals.globalStoreSectors),
    }];
  });
});

/** The greatest value that the loop's end takes on the visible shapes: it must be a kernel parameter that the spec passes as a plain size. */
function longestRow(input: RuleInput, kernel: CudaKernel, end: string): number | undefined {
  const position = kernel.parameters.findIndex((parameter) => parameter.name === end);
  const { run } = input.spec;
  const argument = run.kind === "launch" && position >= 0 ? run.launch.arguments[position] : undefined;
  if (argument === undefined || typeof argument === "string") return undefined;
  const values = input.spec.shapes.map((shape) => (typeof argument.value === "number" ? argument.value : shape.sizes[argument.value]));
  return values.every((value) => value !== undefined) && values.length > 0 ? Math.max(...values) : undefined;
}

function stagingEdits(kernel: CudaKernel, walks: RowWalks, staged: number): readonly TextEdit[] {
  const { array, index, elementType } = walks;
  const title = array.charAt(0).toUpperCase() + array.slice(1);
  const [store, value] = [freshName(kernel.source, `staged${title}`), freshName(kernel.source, `${array}Value`)];
  const [first, ...others] = walks.loops;
  const outermost = first === undefined ? undefined : kernel.body.namedChildren.find((node) => node.type !== "comment");
  if (first === undefined || outermost === undefined) return [];
  const inner = indentOf(kernel.source, first.body.namedChildren[0] ?? first.body);
  const [opening] = first.body.namedChildren;
  const load = [`const ${elementType} ${value} = ${array}[${index}];`, `if (${index} < ${staged}) {`, `  ${store}[${index}] = ${value};`, "}"];
  return [
    insertBefore(outermost, `__shared__ ${elementType} ${store}[${staged}];\n${indentOf(kernel.source, outermost)}`),
    ...(opening === undefined ? [] : [insertBefore(opening, `${load.join(`\n${inner}`)}\n${inner}`)]),
    ...first.reads.map((read) => replaceNode(read, value)),
    ...others.flatMap(({ reads }) => reads.map((read) => replaceNode(read, choice(read, `${index} < ${staged} ? ${store}[${index}] : ${read.text}`)))),
  ];
}

/** A conditional expression needs parentheses unless it is an argument or a whole right-hand side of its own. */
function choice(read: RuleNode, text: string): string {
  const whole = read.parent?.type === "argument_list" || read.parent?.type === "init_declarator";
  return whole && enclosing(read, ["binary_expression"]) === undefined ? text : `(${text})`;
}
