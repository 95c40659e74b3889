import { editedTree, replaceNode } from "../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../evidence";
import { defineRule, fillSentence, threshold } from "../rule-table";
import { enclosing, lineOf, usesOf } from "../syntax";
import { cudaKernel, scalarBytes, usesWarpLevel } from "./kernel-source";
import { blockShape, isFixedElsewhere, servesOtherKernels } from "./launch-site";
import { sharedArrays } from "./shared-array";

/**
 * Doubles the constant that is the side of both the square block and its square shared tiles: each loaded
 * value is used twice as often. Taken only where the old number stands nowhere else, so that everything
 * follows the constant.
 */
export const enlargeSharedTile = defineRule("cuda-enlarge-shared-tile", (input, entry) => {
  const kernel = cudaKernel(input);
  const block = kernel === undefined ? undefined : blockShape(input, kernel);
  const [x, y] = block?.nodes ?? [];
  if (
    kernel === undefined ||
    block === undefined ||
    x === undefined ||
    y === undefined ||
    x.text !== y.text ||
    block.nodes.length !== 2
  )
    return [];
  const constant = kernel.constants.get(x.text);
  const arrays = sharedArrays(kernel);
  if (
    constant === undefined ||
    constant.valueNode.type !== "number_literal" ||
    usesWarpLevel(kernel) ||
    arrays.length === 0
  )
    return [];
  const square = arrays.every(
    (array) =>
      array.sizes.length === 2 && array.sizes.every((size) => usesOf(size, constant.name).length === 1),
  );
  const fixed =
    isFixedElsewhere(input, kernel, constant.value, constant.valueNode) ||
    servesOtherKernels(kernel, constant.name);
  const side = constant.value * 2;
  const registers = Math.max(0, ...input.facts.map((fact) => fact.registers));
  const sharedBytes = arrays.reduce(
    (sum, array) => sum + (side + 1) * side * (scalarBytes(array.type) ?? 8),
    0,
  );
  if (
    !square ||
    fixed ||
    side * side > threshold(entry, "threadsMost") ||
    sharedBytes > threshold(entry, "sharedBytesMost") ||
    registers * side * side > threshold(entry, "registersMost")
  )
    return [];
  const loads = arrays
    .flatMap((array) => array.accesses)
    .flatMap(({ node }) => {
      const statement = enclosing(node, ["expression_statement"]);
      const assignment = statement?.namedChildren[0];
      const isFill =
        assignment?.type === "assignment_expression" && assignment.childForFieldName("left")?.id === node.id;
      return isFill && statement !== undefined
        ? [
            {
              line: lineOf(statement),
              sectors: countsOf(input, statement).globalLoadSectors,
              ideal: countsOf(input, statement).globalLoadSectorsIdeal,
            },
          ]
        : [];
    });
  const [worst] = [...loads].sort((a, b) => b.sectors - a.sectors);
  const enclosed = arrays.some((array) =>
    array.accesses.some(({ node }) => enclosing(node, ["for_statement"]) !== undefined),
  );
  if (
    worst === undefined ||
    worst.sectors === 0 ||
    !enclosed ||
    worst.sectors > worst.ideal * threshold(entry, "coalescedMost")
  )
    return [];
  const value = loads.reduce((sum, load) => sum + load.sectors, 0);
  if (shareSaved(value, input.counters.totals.globalLoadSectors) < threshold(entry, "shareLeast")) return [];
  return [
    {
      tree: editedTree(input, [replaceNode(constant.valueNode, String(side))]),
      hypothesis: fillSentence(entry.hypothesis, { side: String(side), before: String(constant.value) }),
      evidence: evidenceFor(
        entry,
        {
          file: input.file,
          line: worst.line,
          counter: "globalLoadSectors",
          value: worst.sectors,
          ideal: Math.ceil(worst.sectors / 2),
        },
        { side: String(constant.value) },
      ),
      gain: gainOn(
        input,
        ["dram", "l2"],
        shareSaved(
          value / 2,
          input.counters.totals.globalLoadSectors + input.counters.totals.globalStoreSectors,
        ),
      ),
    },
  ];
});
