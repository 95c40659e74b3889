import { compact, isInside, lineOf, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, issuedIn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { isCallOf, keyword, launchValue, positional, tritonKernel, type TritonView } from "../kernel";
import { dependencesOf } from "../spread/dependence";
import { libraryOf } from "../spread/dimension";
import { constexprOf, parameterEdit } from "../spread/programs";

/**
 * Indices of 64 bits become indices of 32 bits where the host sees that all tensors are small enough; larger
 * ones keep the kernel that they had.
 */
export const narrowIndexTriton = defineRule("triton-narrow-index", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const wide = wideIndices(view);
  const [first] = wide;
  if (first === undefined) return not("no-pattern", "no index is made 64 bits wide", view.line);
  const value = issuedIn(countsOf(input, view.body));
  const share = shareSaved(value, issuedIn(input.counters.totals)) * threshold(entry, "share");
  const gain = gainOn(input, ["issue", "integer", "latency"], share);
  const facts = { file: input.file, line: lineOf(first), counter: "instructions" as const };
  const evidence = evidenceFor(entry, { ...facts, value, ideal: Math.ceil(value * (1 - share)) });
  const edits = narrowEdits(view, wide);
  if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
  const hypothesis = fillSentence(entry.hypothesis, {});
  return { kind: "proposal", tree: editedTree(input, edits), hypothesis, evidence, gain };
});

/** `tl.int64` in `x.to(tl.int64)` and `tl.cast(x, tl.int64)` of programs, lanes and sizes. */
function wideIndices(view: TritonView): readonly SyntaxNode[] {
  const loaded = dependencesOf(view, (node) =>
    isCallOf(view, node, "load") ? { programs: true, lanes: true } : undefined,
  );
  return view.body.descendantsOfType("call").flatMap((call) => {
    const callee = call.childForFieldName("function");
    const method = callee?.type === "attribute" && callee.childForFieldName("attribute")?.text === "to";
    const cast = isCallOf(view, call, "cast");
    const [first, second] = positional(call);
    const value = cast ? first : callee?.childForFieldName("object");
    const type = keyword(call, "dtype") ?? (cast ? second : first);
    if (!(method || cast) || !value || type === undefined || loaded(value).lanes) return [];
    return view.model.names.isLanguage(type, "int64") ? [type] : [];
  });
}

function narrowEdits(view: TritonView, wide: readonly SyntaxNode[]): readonly TextEdit[] | RuleHold {
  const large = view.body.descendantsOfType("integer").find(({ text }) => Number(text) >= 2 ** 31);
  if (large !== undefined) return not("type", `${large.text} needs 64 bits`, large);
  const pointers = view.parameters.filter(({ pointer }) => pointer);
  const tensors = pointers.map(({ name }) => launchValue(view, name));
  const odd = tensors.find((tensor) => tensor?.type !== "identifier");
  if (odd !== undefined || tensors.length === 0)
    return not("launch", `${compact(odd)} is no name of a tensor`, view.launch.call);
  const name = freshName(view.source, "INDEX");
  const declared = parameterEdit(view, `${name}: ${constexprOf(view)}`);
  const last = partsOf(view.launch.call.childForFieldName("arguments")).at(-1);
  if (isNot(declared)) return declared;
  if (last === undefined || isInside(last, view.body))
    return not("launch", "the launch passes nothing", view.launch.call);
  const library = libraryOf(view);
  const names = [...new Set(tensors.flatMap((tensor) => tensor?.text ?? []))].join(", ");
  const small = `all(t.is_contiguous() and t.numel() < 2**30 for t in (${names},))`;
  const text = `, ${name}=${library}int32 if ${small} else ${library}int64`;
  return [
    ...wide.map((node) => replaceNode(node, name)),
    declared,
    { start: last.endIndex, end: last.endIndex, text },
  ];
}
