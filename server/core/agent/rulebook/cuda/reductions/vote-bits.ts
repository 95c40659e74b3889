import { constantOf, type Form } from "../../../../language/cuda/body/forms";
import { countedLoops } from "../../../../language/cuda/body/loops";
import { isPure } from "../../../../language/cuda/body/scope";
import { variesWithThread } from "../../../../language/cuda/body/threads";
import { fieldText, isInside, lineOf, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, indentOf, replaceNode } from "../../edits";
import { countsOf, evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, formIn, type KernelView } from "../kernel";
import { blockShape } from "../launch/block-shape";

const warp = 32;

/** `atomicOr(&bits[i >> 5], 1u << (i & 31));` of every lane, or `bit << (i & 31)` of a bit that may be 0. */
interface Vote {
  readonly call: SyntaxNode;
  readonly statement: SyntaxNode;
  readonly address: SyntaxNode;
  /** The bit of the lane, where it is not always set. */
  readonly bit: SyntaxNode | undefined;
}

/**
 * Sets the bits of a warp's lanes in a word at once: their votes are the word, and one lane stores it. Only
 * lanes that meet there vote together, so that conditions around do not matter.
 */
export const voteBits = defineRule("cuda-vote-bits", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const calls = view.body
    .descendantsOfType("call_expression")
    .filter((call) => fieldText(call, "function") === "atomicOr");
  if (calls.length === 0) return not("no-pattern", "no bits are set by atomics", view.line);
  const block = blockShape(input, view);
  if (isNot(block)) return block;
  if (block.sizes[0] % warp !== 0)
    return not("launch", "the rows of the block are no whole warps", view.line);
  return calls.map((call) => {
    const vote = voteIn(view, call);
    return isNot(vote) ? vote : answer(input, entry, { view, vote });
  });
});

interface Asked {
  readonly view: KernelView;
  readonly vote: Vote;
}

function answer(input: RuleInput, entry: RuleEntry, { view, vote }: Asked): RuleAnswer {
  const { call, statement, address, bit } = vote;
  const { globalAtomics, globalAtomicPasses, sharedAtomics, sharedAtomicPasses } = countsOf(input, call);
  const [value, requests] = [globalAtomicPasses + sharedAtomicPasses, globalAtomics + sharedAtomics];
  if (value < requests * threshold(entry, "ratio"))
    return not("no-evidence", "few lanes of a warp set bits at the same time", call);
  const { source } = view;
  const [lanes, indent] = [freshName(source, "lanes"), indentOf(source, statement)];
  const votes = bit === undefined ? "__activemask()" : `__ballot_sync(__activemask(), (${bit.text}) != 0)`;
  const lines = [
    "{",
    `  const unsigned ${lanes} = ${votes};`,
    `  if (threadIdx.x % ${warp} + 1 == __ffs(${lanes})) atomicOr(${address.text}, ${lanes});`,
    "}",
  ];
  const facts = { file: input.file, line: lineOf(call), counter: "globalAtomicPasses" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, [replaceNode(statement, lines.join(`\n${indent}`))]),
    hypothesis: fillSentence(entry.hypothesis, {}),
    evidence: evidenceFor(entry, { ...facts, value, ideal: requests }),
    gain: gainOn(input, ["atomics", "latency", "l2", "shared"], 1 - requests / Math.max(1, value)),
  };
}

function voteIn(view: KernelView, call: SyntaxNode): Vote | RuleHold {
  const statement = call.parent;
  const [address, value] = partsOf(call.childForFieldName("arguments"));
  if (statement?.type !== "expression_statement") return not("dependence", "the old word is used", call);
  if (address === undefined || value === undefined) return not("unreadable", "the call is not read", call);
  const shift = followed(view, value);
  const [bit, amount] = [shift.childForFieldName("left"), shift.childForFieldName("right")];
  if (fieldText(shift, "operator") !== "<<" || !bit || !amount)
    return not("no-pattern", "what is set is no single bit", value);
  const own = taken(view, amount, { "&": warp - 1, "%": warp });
  if (own === undefined || !isLane(view, own))
    return not("dependence", "the bit is not that of the lane", amount);
  const held = apartWords(view, address);
  if (held !== undefined) return held;
  const always = view.scope.value(bit) === 1;
  return always || isBit(view, bit)
    ? { call, statement, address, bit: always ? undefined : bit }
    : not("no-pattern", `${bit.text} may be more than one bit`, bit);
}

/** A guard's answer unless the lanes of a warp share the word. */
function apartWords(view: KernelView, address: SyntaxNode): RuleHold | undefined {
  if (!isPure(address)) return not("dependence", "the address is made by a call", address);
  const word = wordsIn(view, address).find((node) => isLane(view, node));
  const place = word && enclosingShift(view, word, address);
  if (place === undefined)
    return not("dependence", "the lanes of a warp may set bits of several words", address);
  const varies = variesWithThread(view.model, view.body, "x");
  const [other] = address
    .descendantsOfType(["identifier", "field_expression"])
    .filter((node) => !isInside(node, place) && varies(node));
  return other && not("dependence", `${other.text} differs from lane to lane`, other);
}

/** What a local that is set once stands for, without casts. */
function followed(view: KernelView, node: SyntaxNode, depth = 0): SyntaxNode {
  const inner = unwrapped(node);
  const value = inner.type === "cast_expression" ? inner.childForFieldName("value") : null;
  if (value) return followed(view, value, depth);
  const meaning = inner.type === "identifier" && depth < 8 ? view.scope.meaning(inner.text) : undefined;
  return meaning === undefined || typeof meaning === "string" ? inner : followed(view, meaning, depth + 1);
}

/** `i` of `i OPERATOR NUMBER`. */
function taken(
  view: KernelView,
  node: SyntaxNode,
  operators: Readonly<Record<string, number>>,
): SyntaxNode | undefined {
  const inner = followed(view, node);
  const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
  const number = operators[fieldText(inner, "operator")];
  if (inner.type !== "binary_expression" || !left || !right || number === undefined) return undefined;
  return constantOf(formIn(view, right)) === number ? left : undefined;
}

const wordOf = { ">>": 5, "/": warp };

/** Every `i` of an `i >> 5` or `i / 32` that an address is made of, names followed. */
function wordsIn(view: KernelView, address: SyntaxNode): readonly SyntaxNode[] {
  return address
    .descendantsOfType(["binary_expression", "identifier"])
    .flatMap((node) => taken(view, node, wordOf) ?? []);
}

/** The part of the address that stands for the word's number. */
function enclosingShift(view: KernelView, word: SyntaxNode, address: SyntaxNode): SyntaxNode | undefined {
  return address
    .descendantsOfType(["binary_expression", "identifier"])
    .find((node) => taken(view, node, wordOf)?.id === word.id);
}

/** True for a number whose rest by 32 is that of the lane, and which is the same beyond that for a warp. */
function isLane(view: KernelView, node: SyntaxNode): boolean {
  const form = new Map(formIn(view, node));
  for (const { variable, loop, start, step } of countedLoops(view.body)) {
    const times = form.get(variable);
    if (times === undefined || !isInside(node, loop)) continue;
    const amount = step.operator === "+" && step.amount ? formIn(view, step.amount) : undefined;
    if (times !== 1 || amount === undefined || !isMultiple(amount)) return false;
    form.delete(variable);
    for (const [key, count] of formIn(view, start)) form.set(key, (form.get(key) ?? 0) + count);
  }
  const own = form.get("threadIdx.x");
  form.delete("threadIdx.x");
  return own === 1 && isMultiple(form);
}

/** True for a sum of whole warps: blocks are whole warps wide. */
function isMultiple(form: Form): boolean {
  return [...form].every(([key, times]) => times % warp === 0 || key.split("*").includes("blockDim.x"));
}

/** True for 0 and 1 alone. */
function isBit(view: KernelView, node: SyntaxNode): boolean {
  const inner = followed(view, node);
  const value = view.scope.value(inner);
  if (value !== undefined) return value === 0 || value === 1;
  const sides = ["consequence", "alternative"].map((field) => inner.childForFieldName(field));
  if (inner.type === "conditional_expression")
    return sides.every((side) => side !== null && isBit(view, side));
  const operator = fieldText(inner, "operator");
  if (inner.type === "unary_expression") return operator === "!";
  return inner.type === "binary_expression" && /^(?:[<>]=?|[=!]=|&&|\|\|)$/.test(operator);
}
