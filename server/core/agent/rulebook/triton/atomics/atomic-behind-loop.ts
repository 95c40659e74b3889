import { collapse, enclosing, lineOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, editedTree, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence } from "../../rule-table";
import {
  isCallOf,
  languageCalls,
  launchValue,
  maskOf,
  onlyAssignment,
  positional,
  secondDimension,
  statementOf,
  tritonKernel,
  type TritonView,
} from "../kernel";
import { isKept, namesOf } from "../loops/steady";
import { addressTerms } from "../spread/address";
import { dependencesOf, reducing } from "../spread/dependence";
import { libraryOf } from "../spread/dimension";

/** An atomic addition to the same place in every turn of a loop becomes a sum, and one addition behind it. */
export const atomicBehindLoop = defineRule("triton-atomic-behind-loop", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const [found] = languageCalls(view, ["atomic_add"]).flatMap((call) => repeatedBy(view, call) ?? []);
  if (found === undefined)
    return not("no-pattern", "no loop adds to the same place in every turn", view.line);
  const { globalAtomicPasses: value } = countsOf(input, statementOf(found.call));
  const share = shareSaved(value, input.counters.totals.globalAtomicPasses);
  const gain = gainOn(input, ["atomics", "latency", "l2"], share);
  const facts = { file: input.file, line: lineOf(found.call), counter: "globalAtomicPasses" as const };
  const evidence = evidenceFor(entry, { ...facts, value, ideal: 0 });
  const edits = summedEdits(view, found);
  if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
  const hypothesis = fillSentence(entry.hypothesis, {});
  return { kind: "proposal", tree: editedTree(input, edits), hypothesis, evidence, gain };
});

interface Repeated {
  readonly call: SyntaxNode;
  readonly loop: SyntaxNode;
  readonly pointer: string;
  readonly value: SyntaxNode;
}

/** An addition of the loop's own level whose address and mask no turn changes. */
function repeatedBy(view: TritonView, call: SyntaxNode): Repeated | undefined {
  const loop = enclosing(call, "for_statement", "while_statement");
  const [address, value] = positional(call);
  const own = call.parent?.parent?.id === loop?.childForFieldName("body")?.id;
  if (loop === undefined || address === undefined || value === undefined || !own) return undefined;
  if (call.parent?.type !== "expression_statement") return undefined;
  const place = [address, maskOf(view, call)].flatMap((part) => part ?? []);
  const steady = place.every((part) =>
    namesOf(part).every((name) => isKept(view, loop, name, 0) && onlyGivenOutside(loop, name)),
  );
  const terms = addressTerms(view, address).map(({ text }) => text);
  const pointer = view.parameters.find((each) => each.pointer && terms.includes(each.name))?.name;
  return steady && pointer !== undefined ? { call, loop, pointer, value } : undefined;
}

/** What is made in the loop is not there behind it where it runs no turn. */
function onlyGivenOutside(loop: SyntaxNode, name: string): boolean {
  return loop
    .descendantsOfType(["assignment", "augmented_assignment", "for_statement"])
    .every((act) => usesOf(act.childForFieldName("left") ?? loop, name).length === 0);
}

function summedEdits(view: TritonView, found: Repeated): readonly TextEdit[] | RuleHold {
  const { call, loop, pointer, value } = found;
  const others = loop
    .descendantsOfType("call")
    .filter((each) => /\.(?:load|store|atomic_\w+)$/.test(each.childForFieldName("function")?.text ?? ""))
    .filter((each) => each.id !== call.id);
  const other = others.find((each) => {
    const [address] = positional(each);
    return address !== undefined && addressTerms(view, address).some(({ text }) => text === pointer);
  });
  if (other !== undefined) return not("dependence", `the loop touches ${pointer} otherwise as well`, other);
  const begin = beginOf(view, found);
  if (isNot(begin)) return begin;
  const name = freshName(view.source, `${pointer}_sum`);
  const indent = indentOf(view.source, loop);
  const range = { start: call.startIndex, end: call.endIndex };
  const added = editedText(view.source, range, [replaceNode(value, name)]);
  return [
    { start: loop.startIndex, end: loop.startIndex, text: `${name} = ${begin}\n${indent}` },
    replaceNode(call, `${name} += ${collapse(value.text)}`),
    { start: loop.endIndex, end: loop.endIndex, text: `\n${indent}${added}` },
  ];
}

/** 0 in the type and the shape of the sum. */
function beginOf(view: TritonView, { value, pointer, call }: Repeated): string | RuleHold {
  const lanes = dependencesOf(view, (node) =>
    isCallOf(view, node, "arange") ? { programs: false, lanes: true } : undefined,
  );
  const passed = launchValue(view, pointer);
  const made = passed?.type === "identifier" ? onlyAssignment(view.host, passed.text) : undefined;
  const text = made?.childForFieldName("right")?.text;
  if (text === undefined || /(?:float16|half|like|new_)/.test(text))
    return not("type", `the type of ${pointer} is not seen at the launch`, call);
  const whole = /\bu?int\d+\b/.test(text);
  const wide = /int64|float64|double/.test(text);
  if (wide) return not("type", `${pointer} is wider than the sum would be`, call);
  if (!lanes(value).lanes) return whole ? "0" : "0.0";
  const spans = new Set(languageCalls(view, ["arange"]).map((span) => positional(span)[1]?.text ?? ""));
  const [length] = spans;
  const reduces = languageCalls(view, reducing, value).length > 0;
  if (spans.size !== 1 || length === undefined || secondDimension(view) !== undefined || reduces)
    return not("no-rewrite", "the shape of the sum is not one block", call);
  const library = libraryOf(view);
  return `${library}zeros((${length},), dtype=${library}${whole ? "int32" : "float32"})`;
}
