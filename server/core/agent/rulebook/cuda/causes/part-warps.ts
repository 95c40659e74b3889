import { formIn, cudaKernel, type KernelView } from "../kernel";
import { coefficient, type Form } from "../../../../language/cuda/body/forms";
import { hiddenThreadIndex, threadAxes, warpLevelUse } from "../../../../language/cuda/body/threads";
import { enclosing, fieldText, isInside, lineOf, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { blockShape } from "../launch/block-shape";
import { namedBy } from "../named";

const warp = 32;

/**
 * Gives the lanes of a warp the same way where a branch depends on a digit of the thread's number: the
 * threads of a block change places, so that those of one digit stand in the same warps.
 */
export const partWarps = defineRule("cuda-part-warps", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const branches = branchesOf(view);
  const [first] = branches;
  if (first === undefined)
    return not("no-pattern", "no branch depends on a digit of the thread's number", view.line);
  const counted = branches
    .map((branch) => ({ ...branch, value: countsOf(input, branch.node).divergentBranches }))
    .sort((a, b) => b.value - a.value);
  const [worst] = counted;
  if (worst === undefined || worst.value === 0)
    return not("no-evidence", "the lanes do not part there", first.node);
  const gain = gainOn(input, ["issue", "special", "fp32"], threshold(entry, "share"));
  const edits = placesChanged(input, view, { entry, branch: worst });
  if (isNot(edits)) return { ...named(entry, worst, gain), because: edits.because, sentence: edits.sentence };
  const facts = { file: input.file, line: lineOf(worst.node), counter: "divergentBranches" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { count: worst.count }),
    evidence: evidenceFor(entry, { ...facts, value: worst.value, ideal: 0 }),
    gain,
  };
});

/** A branch whose way is told by a digit of a sum that grows with the thread's number. */
interface Branch {
  readonly node: SyntaxNode;
  /** The sum of which the digit is. */
  readonly form: Form;
  /** How many ways the threads may take, and how many neighbours take the same one. */
  readonly count: number;
  readonly run: number;
}

function named(
  entry: RuleEntry,
  { node, value }: Branch & { readonly value: number },
  gain: number,
): RuleHold {
  return namedBy(entry, { at: node, value, gain });
}

const heads = ["if_statement", "switch_statement", "conditional_expression"];

function branchesOf(view: KernelView): readonly Branch[] {
  return view.body.descendantsOfType(heads).flatMap((node) => {
    const condition = node.childForFieldName("condition");
    const digit = condition === null ? undefined : digitIn(view, condition, 0);
    return digit === undefined ? [] : [{ node, ...digit }];
  });
}

type Digit = Omit<Branch, "node">;

/** `i % 2`, `i & 3`, also behind a local; with `lane % 32 < 16` two ways of sixteen neighbours each. */
function digitIn(view: KernelView, condition: SyntaxNode, depth: number): Digit | undefined {
  const nodes = condition.descendantsOfType(["binary_expression", "identifier"]);
  for (const node of nodes) {
    const meaning = node.type === "identifier" ? view.scope.meaning(node.text) : undefined;
    const digit = digitOf(view, unwrapped(typeof meaning === "object" ? meaning : node));
    const run = digit === undefined ? 1 : runCompared(view, node, digit.base);
    if (digit !== undefined && digit.base / run <= 8)
      return { form: digit.form, count: digit.base / run, run };
    const inner = typeof meaning === "object" && depth < 3 ? digitIn(view, meaning, depth + 1) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** `i % 2` or `i & 1` of a sum in which the thread's number is counted an odd number of times. */
function digitOf(
  view: KernelView,
  node: SyntaxNode,
): { readonly form: Form; readonly base: number } | undefined {
  const operator = fieldText(node, "operator");
  const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
  if ((operator !== "%" && operator !== "&") || left === null || right === null) return undefined;
  const number = view.scope.value(right) ?? Number(right.text.replace(/[uUlL]+$/, ""));
  const base = operator === "&" ? number + 1 : number;
  const form = formIn(view, left);
  const isOdd = Math.abs(coefficient(form, "threadIdx.x")) % 2 === 1 && isPlain(form);
  return isOdd && base >= 2 && base <= warp && Number.isInteger(Math.log2(base)) ? { form, base } : undefined;
}

/** Neighbours that a comparison `digit < 16` sends the same way; one for any other. */
function runCompared(view: KernelView, digit: SyntaxNode, base: number): number {
  let inner = digit;
  while (inner.parent?.type === "parenthesized_expression") inner = inner.parent;
  const comparison = inner.parent;
  const other = comparison?.childForFieldName("right");
  if (!comparison || !other || !/^(?:<|>=)$/.test(fieldText(comparison, "operator"))) return 1;
  const left = unwrapped(comparison.childForFieldName("left") ?? other);
  const limit = left.id === digit.id ? view.scope.value(other) : undefined;
  return limit !== undefined && limit * 2 === base ? limit : 1;
}

/** True where nothing but the thread's own places takes part in what differs within a block. */
function isPlain(form: Form): boolean {
  return [...form.keys()].every((key) => !/threadIdx/.test(key) || /^threadIdx\.[xyz]$/.test(key));
}

interface Wanted {
  readonly entry: RuleEntry;
  readonly branch: Branch;
}

/** The thread's places under other names that are dealt out by the digit. */
function placesChanged(
  input: RuleInput,
  view: KernelView,
  { branch }: Wanted,
): readonly TextEdit[] | RuleHold {
  const block = blockShape(input, view);
  if (isNot(block)) return block;
  const together = warpLevelUse(view.model, view.kernel) ?? hiddenThreadIndex(view.model, view.kernel);
  if (together !== undefined)
    return not("cooperation", `a thread's place in its warp matters (${together.text})`, together.line);
  const { axes, whole } = threadAxes(view.body);
  if (whole !== undefined) return not("dependence", "the thread's place is handed on as a whole", whole);
  const numbers = numbersFor(block.sizes, branch);
  if (isNot(numbers)) return { ...numbers, line: lineOf(branch.node) };
  const [first] = partsOf(view.body);
  if (first === undefined) return not("no-pattern", "the kernel is empty", view.line);
  const [across, down] = [freshName(view.source, "placeX"), freshName(view.source, "placeY")];
  const indent = indentOf(view.source, first);
  const head = [
    `const int ${across} = ${numbers.across};`,
    ...(numbers.down === undefined ? [] : [`const int ${down} = ${numbers.down};`]),
  ];
  const names = new Map([
    ["x", across],
    ["y", numbers.down === undefined ? undefined : down],
  ]);
  const renamed = axes.flatMap((axis) => {
    const use = enclosing(axis, "field_expression");
    const name = names.get(axis.text);
    return use === undefined || name === undefined ? [] : [replaceNode(use, name)];
  });
  const inside = renamed.every(({ start }) => start >= first.startIndex) && isInside(first, view.body);
  return inside
    ? [insertBefore(first, `${head.join(`\n${indent}`)}\n${indent}`), ...renamed]
    : not("no-pattern", "the kernel has no statement of its own", view.line);
}

interface Numbers {
  readonly across: string;
  /** Undefined where threads change places along x alone. */
  readonly down: string | undefined;
}

function numbersFor(
  [wide, high, deep]: readonly [number, number, number],
  { count, run, form }: Branch,
): Numbers | RuleHold {
  const whole = count * run;
  const sign = form.get("threadIdx.x") ?? 1;
  if (wide % (warp * count) === 0 && wide % whole === 0) {
    const each = `(threadIdx.x % ${wide / count})`;
    const group = `threadIdx.x / ${wide / count}`;
    const across =
      run === 1
        ? `${each} * ${count} + ${group}`
        : `${each} / ${run} * ${whole} + ${group} * ${run} + threadIdx.x % ${run}`;
    return { across, down: undefined };
  }
  const threads = wide * high;
  const deeper = coefficient(form, "threadIdx.z") % count;
  if (run > 1 || threads % (warp * count) !== 0 || wide % count !== 0 || deeper !== 0)
    return not(
      "launch",
      `a block of ${wide} × ${high} × ${deep} threads does not hold a warp for each way`,
      1,
    );
  const thread = `(threadIdx.y * ${wide} + threadIdx.x)`;
  const down = `${thread} % ${threads / count} / ${wide / count}`;
  // Along y the digit of a column moves on by as much as the sum does.
  const beside = coefficient(form, "threadIdx.y") * (sign < 0 ? 1 : -1);
  const step = ((beside % count) + count) % count;
  const way = `${thread} / ${threads / count}`;
  const digit = step === 0 ? way : `(${way} + ${step} * (${down})) % ${count}`;
  return { across: `${thread} % ${wide / count} * ${count} + ${digit}`, down };
}
