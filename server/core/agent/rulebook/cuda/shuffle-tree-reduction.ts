import { editedTree, indentOf, replaceNode } from "../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../evidence";
import type { RuleNode } from "../rule";
import { defineRule, fillSentence, threshold } from "../rule-table";
import { compact, enclosing, freshName, lineOf } from "../syntax";
import { cudaKernel } from "./kernel-source";
import { blockShape } from "./launch-site";
import type { SharedArray } from "./shared-array";
import { sharedArrays } from "./shared-array";

/**
 * A halving loop over a shared array: `for (int s = blockDim.x / 2; s > 0; s /= 2) { if (threadIdx.x < s)
 * a[threadIdx.x] += a[threadIdx.x + s]; __syncthreads(); }`.
 */
interface TreeReduction {
  readonly loop: RuleNode;
  readonly condition: RuleNode;
  readonly stride: string;
  readonly array: string;
}

/**
 * Lets the last five steps of a tree reduction run inside one warp by shuffles: no barrier and no trip
 * through shared memory.
 */
export const shuffleTreeReduction = defineRule("cuda-shuffle-tree-reduction", (input, entry) => {
  const kernel = cudaKernel(input);
  const block = kernel === undefined ? undefined : blockShape(input, kernel);
  if (kernel === undefined || block === undefined || block.sizes[1] !== 1 || block.sizes[2] !== 1) return [];
  const [threads] = block.sizes;
  if (threads < 64 || (threads & (threads - 1)) !== 0) return [];
  return kernel.body.descendantsOfType("for_statement").flatMap((loop) => {
    const tree = treeReduction(loop);
    const array = sharedArrays(kernel).find((shared) => shared.name === tree?.array);
    if (
      tree === undefined ||
      array === undefined ||
      !["float", "int", "unsigned", "double"].includes(array.type) ||
      !onlyFirstUsedAfter(array, loop)
    )
      return [];
    const counts = countsOf(input, loop);
    const steps = Math.log2(threads);
    const blocks = counts.barriers / Math.max(1, steps * (threads / 32));
    if (counts.barriers < threshold(entry, "barriersLeast") || blocks <= 0) return [];
    const indent = indentOf(kernel.source, loop);
    const [value, offset] = [freshName(kernel.source, "partial"), freshName(kernel.source, "offset")];
    const tail = [
      "if (threadIdx.x < 32) {",
      `  ${array.type} ${value} = ${tree.array}[threadIdx.x];`,
      `  for (int ${offset} = 16; ${offset} > 0; ${offset} /= 2) {`,
      `    ${value} += __shfl_down_sync(0xffffffffu, ${value}, ${offset});`,
      "  }",
      "  if (threadIdx.x == 0) {",
      `    ${tree.array}[0] = ${value};`,
      "  }",
      "}",
      "__syncthreads();",
    ];
    const barriersAfter = Math.round((counts.barriers * (steps - 4)) / steps);
    const facts = {
      file: input.file,
      line: lineOf(loop),
      counter: "barriers" as const,
      value: counts.barriers,
      ideal: barriersAfter,
    };
    const edits = [
      replaceNode(tree.condition, `${tree.stride} >= 32`),
      { start: loop.endIndex, end: loop.endIndex, text: `\n${indent}${tail.join(`\n${indent}`)}` },
    ];
    return [
      {
        tree: editedTree(input, edits),
        hypothesis: fillSentence(entry.hypothesis, { array: tree.array }),
        evidence: evidenceFor(entry, facts, { array: tree.array }),
        gain: gainOn(
          input,
          ["issue", "shared"],
          shareSaved(counts.instructions / 2, input.counters.totals.instructions),
        ),
      },
    ];
  });
});

/**
 * The shuffles leave the partial sums in registers: afterwards only element 0 may be read, and the loop may
 * not come round again.
 */
function onlyFirstUsedAfter(array: SharedArray, loop: RuleNode): boolean {
  if (enclosing(loop, ["for_statement", "while_statement", "do_statement"]) !== undefined) return false;
  return array.accesses.every(
    ({ node, indices }) => node.startIndex < loop.endIndex || indices.every((index) => index.text === "0"),
  );
}

function treeReduction(loop: RuleNode): TreeReduction | undefined {
  const declarator = loop.childForFieldName("initializer")?.descendantsOfType("init_declarator")[0];
  const stride = declarator?.childForFieldName("declarator")?.text;
  const [condition, body] = [loop.childForFieldName("condition"), loop.childForFieldName("body")];
  if (stride === undefined || condition === null || body?.type !== "compound_statement") return undefined;
  const halves = [
    `${stride}/=2`,
    `${stride}>>=1`,
    `${stride}=${stride}/2`,
    `${stride}=${stride}>>1`,
  ].includes(compact(loop.childForFieldName("update")));
  const starts = ["blockDim.x/2", "blockDim.x>>1"].includes(compact(declarator?.childForFieldName("value")));
  if (!halves || !starts || compact(condition) !== `${stride}>0`) return undefined;
  const [guard, barrier, ...rest] = body.namedChildren.filter((node) => node.type !== "comment");
  const test =
    guard?.type === "if_statement" && guard.childForFieldName("alternative") === null
      ? compact(guard.childForFieldName("condition"))
      : "";
  if (rest.length > 0 || compact(barrier) !== "__syncthreads();" || test !== `(threadIdx.x<${stride})`)
    return undefined;
  const step = compact(guard?.childForFieldName("consequence")).replace(/^\{|\}$/g, "");
  const array = /^(\w+)\[threadIdx\.x\]\+=(\w+)\[threadIdx\.x\+(\w+)\];$/.exec(step);
  return array?.[1] !== undefined && array[1] === array[2] && array[3] === stride
    ? { loop, condition, stride, array: array[1] }
    : undefined;
}
