import { isInside } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode, type TextEdit } from "../../edits";
import { evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { deviceCode } from "../helpers";
import { tritonKernel, type TritonView } from "../kernel";

/**
 * Computes in single precision where inputs and outputs are of single precision or less: `tl.float64` in the
 * kernel and its functions becomes `tl.float32`, and so do tensors of doubles that its host makes. The check
 * tells whether the results stay near enough.
 */
export const singlePrecisionTriton = defineRule("triton-single-precision", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const [worst] = input.counters.lines
    .filter(({ file }) => file === input.file)
    .sort((a, b) => b.fp64Instructions - a.fp64Instructions);
  if (worst === undefined || worst.fp64Instructions === 0)
    return not("no-evidence", "no line computes in double precision", view.line);
  const gain = gainOn(input, ["fp64", "issue"], threshold(entry, "gainFactor"));
  const facts = { file: input.file, line: worst.line, counter: "fp64Instructions" as const };
  const evidence = evidenceFor(entry, { ...facts, value: worst.fp64Instructions, ideal: 0 });
  const double = doubleTensor(input);
  if (double !== undefined)
    return { ...not("type", `${evidence.sentence}; ${double} is of double precision`, worst.line), gain };
  const edits = singleEdits(view);
  if (edits.length === 0)
    return { ...not("no-rewrite", `${evidence.sentence}; nothing names a double`, worst.line), gain };
  const hypothesis = fillSentence(entry.hypothesis, {});
  return { kind: "proposal", tree: editedTree(input, edits), hypothesis, evidence, gain };
});

/** An input or output whose elements are doubles. */
function doubleTensor({ spec }: RuleInput): string | undefined {
  const tensors = [...Object.entries(spec.inputs), ...Object.entries(spec.outputs)];
  return tensors.find(([, { dtype }]) => dtype === "float64")?.[0];
}

function singleEdits(view: TritonView): readonly TextEdit[] {
  const { host, model } = view;
  const code = deviceCode(view);
  const named = model.root
    .descendantsOfType(["attribute", "identifier"])
    .filter((node) => [...code, host].some((each) => isInside(node, each)));
  return [
    ...named.flatMap((node) => ofLanguage(view, node) ?? []),
    ...host.descendantsOfType("attribute").flatMap((node) => ofTorch(node) ?? []),
  ];
}

/** `tl.float64`, in a kernel or where a launch passes it. */
function ofLanguage({ model }: TritonView, node: SyntaxNode): TextEdit | undefined {
  if (!model.names.isLanguage(node, "float64")) return undefined;
  const owner = node.childForFieldName("object")?.text;
  return owner === undefined ? undefined : replaceNode(node, `${owner}.float32`);
}

/** `torch.float64`, `x.double()`, of tensors between the inputs and the outputs. */
function ofTorch(node: SyntaxNode): TextEdit | undefined {
  if (/^torch\.(?:float64|double)$/.test(node.text)) return replaceNode(node, "torch.float32");
  const called = node.parent?.type === "call" && node.parent.childForFieldName("function")?.id === node.id;
  const name = node.childForFieldName("attribute");
  return called && name?.text === "double" ? replaceNode(name, "float") : undefined;
}
