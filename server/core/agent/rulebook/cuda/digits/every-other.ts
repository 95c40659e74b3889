import { coefficient, type Form } from "../../../../language/cuda/body/forms";
import { isPure, localValues } from "../../../../language/cuda/body/scope";
import { cooperation, threadAxes } from "../../../../language/cuda/body/threads";
import { compact, fieldText, isInside, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, editedTree, replaceNode } from "../../edits";
import { countsOf, evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleHold, type RuleProposal } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, formIn, type KernelView } from "../kernel";
import { gridEdits } from "../launch/grid-edit";
import { type WantedParity, wantedParity } from "./wanted-parity";

/**
 * Gives each thread a place that counts where every other one leaves at once, as those of one colour of a
 * chessboard: threads take every second place, and those beyond the end leave in whole warps.
 */
export const everyOther = defineRule("cuda-every-other", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const parity = wantedParity(view);
  if (parity === undefined)
    return not("no-pattern", "no condition leaves every other thread without work", view.line);
  const value = countsOf(input, parity.node).divergentBranches;
  if (value === 0) return not("no-evidence", "the lanes do not part there", parity.node);
  const gain = gainOn(input, ["issue", "latency", "integer"], threshold(entry, "share"));
  const place = placeIn(view, parity);
  if (isNot(place)) return { ...place, gain };
  const text = everySecond(view, parity, place);
  if (isNot(text)) return { ...text, gain };
  const facts = { file: input.file, line: lineOf(parity.node), counter: "divergentBranches" as const };
  const counted = replaceNode(place.value, text);
  const proposal: RuleProposal = {
    kind: "proposal",
    tree: editedTree(input, [counted]),
    hypothesis: fillSentence(entry.hypothesis, { place: place.name }),
    evidence: evidenceFor(entry, { ...facts, value, ideal: 0 }),
    gain,
  };
  const grid = gridEdits(input, view, ([x, y, z]) => [`(${x} + 1) / 2`, y, z]);
  if (isNot(grid)) return proposal;
  const hypothesis = `${proposal.hypothesis.replace(/\.$/, "")}; half as many blocks do.`;
  const tree = editedTree(input, [counted, ...grid]);
  return [proposal, { ...proposal, tree, hypothesis, isAlternative: true }];
});

/** The local that counts threads along x, and what it begins with beside that. */
interface Place {
  readonly name: string;
  readonly value: SyntaxNode;
  readonly added: number;
}

function placeIn(view: KernelView, { node, addends }: WantedParity): Place | RuleHold {
  const { model, kernel, body } = view;
  const together = cooperation(model, kernel);
  if (together !== undefined)
    return not("cooperation", `the threads of a block work together (${together.text})`, together.line);
  const counted = localValues(body).filter(
    ({ name, value }) =>
      typeof view.scope.meaning(name) === "object" &&
      isAcross(formIn(view, value)) &&
      addends.some((addend) => compact(addend) === name),
  );
  const [first, ...others] = counted;
  if (first === undefined || others.length > 0)
    return not("no-pattern", "no local is the thread's number along x", node);
  const { name, value } = first;
  const { axes, whole } = threadAxes(body);
  const beside = whole ?? axes.find((axis) => axis.text === "x" && !isInside(axis, value));
  if (beside !== undefined)
    return not("dependence", "the thread's number is used for more than its place", beside);
  if (!isBounded(view, name)) return not("limit", `no condition says where ${name} ends`, value);
  return { name, value, added: coefficient(formIn(view, value), "") };
}

/** `blockIdx.x * blockDim.x + threadIdx.x`, and a number. */
function isAcross(form: Form): boolean {
  const keys = [...form.keys()].filter((key) => key !== "");
  const block = keys.some((key) => key === "blockIdx.x" || key === "blockDim.x*blockIdx.x");
  return keys.length === 2 && block && coefficient(form, "threadIdx.x") === 1;
}

/** True where a condition compares the place with an end that is no number of the source. */
function isBounded({ body }: KernelView, name: string): boolean {
  return body.descendantsOfType("binary_expression").some((node) => {
    const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
    const compares = /^[<>]=?$/.test(fieldText(node, "operator"));
    return compares && left?.text === name && right !== null && !/^\d+$/.test(right.text);
  });
}

/** The value with twice the thread's number, and one more where the sum would be of the other kind. */
function everySecond(
  view: KernelView,
  parity: WantedParity,
  { name, value, added }: Place,
): string | RuleHold {
  const { addends, wanted, isOther } = parity;
  const others = addends.filter((addend) => compact(addend) !== name);
  if (others.length !== addends.length - 1)
    return not("no-pattern", `${name} is not added once`, parity.node);
  const parts = [...others, ...(typeof wanted === "number" ? [] : [wanted])];
  const texts = parts.map((part) => {
    const text = writtenOut(view, part, value, 0);
    return text === undefined || /^(?:\w+|\([^()]*\))$/.test(text) ? text : `(${text})`;
  });
  if (texts.some((text) => text === undefined) || !isPure(value))
    return not("dependence", "what the condition asks is not known where the place is", parity.node);
  const isOdd = (added + (wanted === 1 ? 1 : 0) + (isOther ? 1 : 0)) % 2 !== 0;
  const sum = [...texts, ...(isOdd ? ["1"] : [])].join(" + ");
  const one = parts.length === 0 ? sum : `((${sum}) & 1)`;
  const from = added === 0 ? "" : ` ${added > 0 ? "-" : "+"} ${Math.abs(added)}`;
  return `2 * (${value.text})${from}${one === "" ? "" : ` + ${one}`}`;
}

/** An expression with the locals that are declared behind a place written out. */
function writtenOut(view: KernelView, node: SyntaxNode, at: SyntaxNode, depth: number): string | undefined {
  if (depth > 6 || !isPure(node) || node.descendantsOfType("subscript_expression").length > 0)
    return undefined;
  const names = node.type === "identifier" ? [node] : node.descendantsOfType("identifier");
  const later = names.filter(({ text }) =>
    localValues(view.body).some((local) => local.name === text && local.declaration.endIndex > at.startIndex),
  );
  const texts = later.map((name) => {
    const meaning = view.scope.meaning(name.text);
    const text = typeof meaning === "object" ? writtenOut(view, meaning, at, depth + 1) : undefined;
    return text === undefined ? undefined : replaceNode(name, `(${text})`);
  });
  const known = texts.flatMap((edit) => edit ?? []);
  if (known.length < texts.length) return undefined;
  return editedText(view.source, { start: node.startIndex, end: node.endIndex }, known);
}
