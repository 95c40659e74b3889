import { editedTree, replaceNode } from "../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../evidence";
import type { RuleNode } from "../rule";
import { defineRule, fillSentence, threshold } from "../rule-table";
import { compact, enclosing, lineOf } from "../syntax";
import { loadedType } from "./argument-types";
import { keyword, languageCalls, positional, tritonKernel } from "./kernel-source";

const multiplyAddsOfOneInstruction = 16 * 8 * 16;

/**
 * Multiplies half-precision tiles as they are. A product of two 16-bit floats is exact in float32 and tl.dot
 * adds up in float32, so only the order and rounding of the additions may differ from widening first; but
 * only 16-bit tiles reach the tensor cores.
 */
export const tensorCoreDot = defineRule("triton-tensor-core-dot", (input, entry) => {
  const kernel = tritonKernel(input);
  if (kernel === undefined) return [];
  return languageCalls(kernel.body, ["dot"]).flatMap((dot) => {
    const [left, right] = positional(dot);
    const sides = [left, right].map((side) => (side === undefined ? undefined : widened(side)));
    const types = sides.map((side) =>
      side === undefined ? undefined : loadedType(input, kernel, side.name),
    );
    const [type] = types;
    if (type === undefined || types[1] !== type || !["float16", "bfloat16"].includes(type)) return [];
    if (keyword(dot, "out_dtype") !== undefined && compact(keyword(dot, "out_dtype")) !== "tl.float32")
      return [];
    const statement = enclosing(dot, ["expression_statement"]) ?? dot;
    const counts = countsOf(input, statement);
    if (counts.tensorInstructions > 0 || counts.instructions < threshold(entry, "instructionsLeast"))
      return [];
    const precision = dot
      .childForFieldName("arguments")
      ?.namedChildren.find((node) => node.childForFieldName("name")?.text === "input_precision");
    const before = precision?.previousNamedSibling;
    const edits = [
      ...sides.flatMap((side) => (side === undefined ? [] : [replaceNode(side.node, side.name)])),
      ...(precision !== undefined && before
        ? [{ start: before.endIndex, end: precision.endIndex, text: "" }]
        : []),
    ];
    const ideal = Math.max(1, Math.ceil(counts.threadInstructions / multiplyAddsOfOneInstruction));
    return [
      {
        tree: editedTree(input, edits),
        hypothesis: fillSentence(entry.hypothesis, { type }),
        evidence: evidenceFor(
          entry,
          {
            file: input.file,
            line: lineOf(statement),
            counter: "instructions",
            value: counts.instructions,
            ideal,
          },
          { type },
        ),
        gain: gainOn(
          input,
          ["issue", "shared"],
          shareSaved(counts.instructions - ideal, input.counters.totals.instructions),
        ),
      },
    ];
  });
});

/** For `name.to(tl.float32)`: the call and the name. */
function widened(node: RuleNode): { readonly node: RuleNode; readonly name: string } | undefined {
  const match = /^([A-Za-z_]\w*)\.to\((tl|triton\.language)\.float32\)$/.exec(compact(node));
  return node.type === "call" && match?.[1] !== undefined ? { node, name: match[1] } : undefined;
}
