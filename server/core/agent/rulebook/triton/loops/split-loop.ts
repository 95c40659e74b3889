import {
  collapse,
  compact,
  fieldText,
  isInside,
  lineOf,
  operands,
  partsOf,
  unwrapped,
  usesOf,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode, type TextEdit } from "../../edits";
import { evidenceFor, targetGpu } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import {
  isCallOf,
  keyword,
  languageCalls,
  onlyAssignment,
  positional,
  tritonKernel,
  type TritonView,
} from "../kernel";
import { multiprocessorsText } from "../multiprocessors";
import { headOf } from "../passes/walks";
import { dependencesOf } from "../spread/dependence";
import { libraryOf } from "../spread/dimension";
import { extentsOfGrid } from "../spread/programs";
import { headEdits, isSteady, partsText, programsOf, stepEdits, unitHead } from "./dealt-turns";
import { apartEdits } from "./split-apart";
import { zeroedTensor } from "./zeroed-tensor";

/**
 * A few programs that each walk a long loop: its turns are dealt out to several programs, whose sums are put
 * together by atomic additions.
 */
export const splitLoop = defineRule("triton-split-loop", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const programs = programsOf(input);
  const most = targetGpu(input).multiprocessors;
  if (programs === undefined || programs >= most)
    return not("no-evidence", "every multiprocessor has a program", view.launch.call);
  const loops = partsOf(view.body).filter(({ type }) => /^(?:for|while)_statement$/.test(type));
  const [loop] = loops;
  if (loop === undefined) return not("no-pattern", "the kernel has no loop to share", view.line);
  const gain = 1 - programs / most;
  const facts = { file: input.file, line: lineOf(view.launch.call), counter: "instructions" as const };
  const evidence = evidenceFor(entry, { ...facts, value: programs, ideal: most });
  const short = Object.values(input.spec.outputs).some(({ dtype }) => dtype.endsWith("float16"));
  const edits =
    loops.length > 1
      ? severalLoops(loops)
      : sharedEdits(view, { loop, most: threshold(entry, "partsMost"), multiprocessors: most, short });
  if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
  const hypothesis = fillSentence(entry.hypothesis, {});
  return { kind: "proposal", tree: editedTree(input, edits), hypothesis, evidence, gain };
});

function severalLoops([, second]: readonly SyntaxNode[]): RuleHold {
  return not("dependence", "a second loop needs what the first one made", second ?? 1);
}

interface Shared {
  readonly loop: SyntaxNode;
  /** Parts of a loop, at most. */
  readonly most: number;
  /** Of the GPU that was judged for. */
  readonly multiprocessors: number;
  /** True where a result has elements of 16 bits. */
  readonly short: boolean;
}

function sharedEdits(
  view: TritonView,
  { loop, most, multiprocessors, short }: Shared,
): readonly TextEdit[] | RuleHold {
  const head = headOf(view, loop) ?? unitHead(loop);
  if (head === undefined)
    return not("no-rewrite", "the loop does not go from 0 in steps of 1 or of a block", loop);
  const grid = extentsOfGrid(view);
  if (isNot(grid)) return grid;
  const numbered = languageCalls(view, ["program_id", "num_programs"]).length > 0;
  const single = !numbered && grid.extents.every(({ text }) => text === "1");
  const axis = single ? 0 : grid.extents.length;
  if (axis > 2) return not("limit", "the grid has three dimensions already", view.launch.call);
  const carried = carriedThrough(view, loop);
  if (isNot(carried)) return carried;
  const { sums } = carried;
  const others = single ? [] : grid.extents.map(({ text }) => collapse(text));
  const extents = [...others, partsText(others, most, multiprocessorsText(view, multiprocessors))];
  const text = extents.length === 1 ? `(${extents.join()},)` : `(${extents.join(", ")})`;
  const steps = carried.steps.flatMap((step) => stepEdits(view, { loop, step, axis }));
  const dealt = [...headEdits(view, head, axis), ...steps];
  const after = view.tuned ? runsSeveralTimes(view) : storedSums(view, loop, { sums, short });
  if (!isNot(after)) return [...dealt, ...after, replaceNode(grid.tuple, text)];
  const dependsOnSums = (node: SyntaxNode): boolean => dependsOn(view, node, sums);
  const apart = apartEdits(view, { loop, sums, dealt, grid: text, dependsOnSums });
  return isNot(apart) ? after : apart;
}

function runsSeveralTimes({ line }: TritonView): RuleHold {
  return not("launch", "the autotuner runs the kernel several times, and each run would add", line);
}

/** What goes from turn to turn. */
interface Carried {
  /** Names that grow by a sum in each turn, from 0. */
  readonly sums: readonly string[];
  /** `x_ptrs += STEP`, the same in each turn. */
  readonly steps: readonly SyntaxNode[];
}

/** Sums and steady steps; a guard's answer where more is carried. */
function carriedThrough(view: TritonView, loop: SyntaxNode): Carried | RuleHold {
  const body = loop.childForFieldName("body");
  const sums = new Set<string>();
  const steps: SyntaxNode[] = [];
  for (const act of body?.descendantsOfType(["assignment", "augmented_assignment"]) ?? []) {
    for (const { text } of act.childForFieldName("left")?.descendantsOfType("identifier") ?? []) {
      const outside = usesOf(view.body, text).some((use) => !isInside(use, loop));
      if (!outside || isStep(loop, act)) continue;
      if (!isSum(act, text) && !isProductSum(view, act, text))
        return not("dependence", `${text} is carried from turn to turn`, act);
      if (isSteady(view, loop, act)) {
        steps.push(act);
        continue;
      }
      if (!beginsAtZero(view, loop, text)) return not("no-rewrite", `${text} does not begin at 0`, act);
      sums.add(text);
    }
  }
  const store = languageCalls(view, ["store"], loop).find((call) => !differs(view, loop, call));
  if (store !== undefined) return not("dependence", "all turns store to the same place", store);
  const atomic = loop
    .descendantsOfType("call")
    .find((call) => /\.(atomic_\w+|debug_barrier)$/.test(compact(call.childForFieldName("function"))));
  return atomic
    ? not("cooperation", "the loop does more than load and store", atomic)
    : { sums: [...sums], steps };
}

/** `start += BLOCK` at the end of a `while`. */
function isStep(loop: SyntaxNode, act: SyntaxNode): boolean {
  const last = partsOf(loop.childForFieldName("body")).at(-1);
  return loop.type === "while_statement" && act.parent?.id === last?.id;
}

/** `s += x`, `s = s + x`. */
function isSum(act: SyntaxNode, name: string): boolean {
  const right = act.childForFieldName("right");
  if (right === null || act.childForFieldName("left")?.text !== name) return false;
  if (act.type === "augmented_assignment")
    return /^[+-]=$/.test(act.childForFieldName("operator")?.text ?? "") && usesOf(right, name).length === 0;
  const terms = operands(right, "+");
  const others = terms.filter(({ text }) => text !== name);
  return (
    terms.length > 1 &&
    others.length === terms.length - 1 &&
    others.every((term) => usesOf(term, name).length === 0)
  );
}

/** `acc = tl.dot(a, b, acc)`. */
function isProductSum(view: TritonView, act: SyntaxNode, name: string): boolean {
  const right = act.childForFieldName("right");
  if (right === null || act.type !== "assignment" || act.childForFieldName("left")?.text !== name)
    return false;
  const carried = keyword(right, "acc") ?? positional(right)[2];
  return isCallOf(view, right, "dot") && carried?.text === name && usesOf(right, name).length === 1;
}

function beginsAtZero(view: TritonView, loop: SyntaxNode, name: string): boolean {
  const given = view.body
    .descendantsOfType(["assignment", "augmented_assignment"])
    .filter((act) => act.childForFieldName("left")?.text === name && act.endIndex <= loop.startIndex);
  const [only] = given;
  const value = only?.childForFieldName("right");
  if (given.length !== 1 || !value) return false;
  const zero = isCallOf(view, value, "full") ? positional(value)[1] : value;
  return isCallOf(view, value, "zeros") || /^0(?:\.0*)?$/.test(zero?.text ?? "");
}

/** True where the address follows the turn. */
function differs(view: TritonView, loop: SyntaxNode, store: SyntaxNode): boolean {
  const variable =
    loop.childForFieldName("left")?.text ?? partsOf(loop.childForFieldName("condition"))[0]?.text;
  const of = dependencesOf(view, (node) =>
    node.type === "identifier" && node.text === variable ? { programs: true, lanes: false } : undefined,
  );
  const [address] = positional(store);
  return address !== undefined && of(address).programs;
}

/** The stores of sums behind the loop, as atomic additions to tensors that begin at 0. */
function storedSums(
  view: TritonView,
  loop: SyntaxNode,
  { sums, short }: { readonly sums: readonly string[]; readonly short: boolean },
): readonly TextEdit[] | RuleHold {
  const edits: TextEdit[] = [];
  const before = languageCalls(view, ["store"]).find(({ endIndex }) => endIndex < loop.startIndex);
  if (before !== undefined) return not("dependence", "memory is written in front of the loop", before);
  const behind = partsOf(view.body).filter(({ startIndex }) => startIndex > loop.endIndex);
  for (const store of behind.flatMap((statement) => languageCalls(view, ["store"], statement))) {
    const [address, value] = positional(store);
    const grows = value !== undefined && dependsOn(view, value, sums);
    if (address === undefined || value === undefined || !grows) continue;
    if (!isLinear(view, value, sums))
      return not("no-rewrite", `${collapse(value.text)} is no sum of sums`, store);
    const zeroed = zeroedTensor(view, address, short);
    if (isNot(zeroed)) return zeroed;
    const callee = store.childForFieldName("function");
    if (callee) edits.push(replaceNode(callee, `${libraryOf(view)}atomic_add`));
    // Parts are added up in single precision, whatever the result is rounded to.
    const converted = convertedBy(value);
    if (converted) edits.push({ start: converted.endIndex, end: value.endIndex, text: "" });
    edits.push(...zeroed.filter((edit) => !edits.some(({ start }) => start === edit.start)));
  }
  const other = behind.find(
    (statement) =>
      /^(?:if|for|while)_statement$/.test(statement.type) &&
      sums.some((name) => usesOf(statement, name).length > 0),
  );
  return other === undefined ? edits : not("no-rewrite", "a sum decides what is done behind the loop", other);
}

function dependsOn(view: TritonView, node: SyntaxNode, sums: readonly string[]): boolean {
  const of = dependencesOf(view, (each) =>
    each.type === "identifier" && sums.includes(each.text) ? { programs: true, lanes: false } : undefined,
  );
  return of(node).programs;
}

/** True where the value of the whole is the sum of the values of its parts. */
function isLinear(view: TritonView, node: SyntaxNode, sums: readonly string[], depth = 0): boolean {
  const inner = unwrapped(node);
  if (depth > 12) return false;
  const follow = (part: SyntaxNode): boolean => isLinear(view, part, sums, depth + 1);
  if (inner.type === "binary_operator") return isLinearTerm(view, inner, { sums, follow });
  if (inner.type !== "identifier") {
    const [value] = isCallOf(view, inner, "sum") ? positional(inner) : [convertedBy(inner)];
    return value !== undefined && follow(value);
  }
  const value = onlyAssignment(view.body, inner.text)?.childForFieldName("right");
  return sums.includes(inner.text) || (!!value && follow(value));
}

/** What `.to(…)` converts. */
function convertedBy(call: SyntaxNode): SyntaxNode | undefined {
  const callee = call.type === "call" ? call.childForFieldName("function") : null;
  return fieldText(callee, "attribute") === "to"
    ? (callee?.childForFieldName("object") ?? undefined)
    : undefined;
}

interface Following {
  readonly sums: readonly string[];
  readonly follow: (node: SyntaxNode) => boolean;
}

/** A sum by a number, or two sums added. */
function isLinearTerm(view: TritonView, node: SyntaxNode, { sums, follow }: Following): boolean {
  const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
  const operator = fieldText(node, "operator");
  if (left === null || right === null) return false;
  const [one, other] = [dependsOn(view, left, sums), dependsOn(view, right, sums)];
  if (/^[+-]$/.test(operator)) return one && other && follow(left) && follow(right);
  if (operator === "*") return one !== other && follow(one ? left : right);
  return operator === "/" && one && !other && follow(left);
}
