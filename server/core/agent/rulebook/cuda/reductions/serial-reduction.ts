import { arraysOf } from "../../../../language/cuda/body/arrays";
import { formFrom, sameForm } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { changes, isPure, localValues } from "../../../../language/cuda/body/scope";
import {
  compact,
  enclosing,
  fieldText,
  isInside,
  lineOf,
  unwrapped,
  usesOf,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import {
  editedText,
  editedTree,
  freshName,
  indentOf,
  insertBefore,
  replaceNode,
  type TextEdit,
} from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, estimatedValue, formIn, type KernelView } from "../kernel";
import { type BlockShape, rowOfThreads } from "../launch/block-shape";
import { type CarriedValue, carriedValues, combinedByWarp } from "../rows/carried-values";
import { localTypes } from "../spelling/calls/objects";
import { memberType } from "../structures/structure-layout";

const warp = 32;

/** `if (threadIdx.x == 0) { for (…) total += shared[k]; … }` of a block. */
interface Serial {
  readonly loop: CountedLoop;
  readonly choice: SyntaxNode;
  readonly turns: number;
}

/** Deals what one thread combines out of shared memory to the lanes of a warp, which then shuffle. */
export const serialReduction = defineRule("cuda-serial-reduction", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = rowOfThreads(input, view);
  if (isNot(block)) return block;
  const found = countedLoops(view.body).flatMap((loop) => serialLoop(view, loop, block) ?? []);
  const most = threshold(entry, "turnsLeast");
  const long = found.filter(({ turns }) => turns >= most);
  return long.length === 0
    ? not("no-pattern", "no thread combines a long piece of shared memory alone", view.line)
    : long.map((serial) => answer(input, view, { entry, serial, block }));
});

/** A loop over shared memory that the first thread alone walks through. */
function serialLoop(view: KernelView, loop: CountedLoop, { sizes }: BlockShape): Serial | undefined {
  const choice = enclosing(loop.loop, "if_statement");
  const condition = choice?.childForFieldName("condition")?.childForFieldName("value");
  const outer = enclosing(loop.loop, "for_statement", "while_statement", "do_statement");
  const consequence = choice?.childForFieldName("consequence");
  if (choice === undefined || !condition || !consequence || !isFirstThread(view, condition)) return undefined;
  if (!isInside(loop.loop, consequence) || (outer !== undefined && isInside(outer, choice))) return undefined;
  const shared = arraysOf(view.body).filter(({ storage }) => storage !== "local");
  const reads = shared.some(({ name }) => usesOf(loop.body, name).length > 0);
  const [start, end] = [boundOf(view, loop.start, sizes[0]), boundOf(view, loop.bound, sizes[0])];
  if (!reads || start === undefined || end === undefined) return undefined;
  return { loop, choice, turns: end - start };
}

function boundOf(view: KernelView, node: SyntaxNode, threads: number): number | undefined {
  return sameForm(formIn(view, node), formFrom({ "blockDim.x": 1 })) ? threads : estimatedValue(view, node);
}

/** `threadIdx.x == 0`, `!tid`, `tid < 1`. */
function isFirstThread(view: KernelView, condition: SyntaxNode): boolean {
  const inner = unwrapped(condition);
  const isThread = (node: SyntaxNode | null): boolean =>
    node !== null && sameForm(formIn(view, node), formFrom({ "threadIdx.x": 1 }));
  if (inner.type === "unary_expression")
    return inner.text.startsWith("!") && isThread(inner.childForFieldName("argument"));
  const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
  const isNumber = (node: SyntaxNode | null, value: number): boolean =>
    node !== null && view.scope.value(node) === value;
  const operator = fieldText(inner, "operator");
  if (operator === "==")
    return (isThread(left) && isNumber(right, 0)) || (isThread(right) && isNumber(left, 0));
  return operator === "<" && isThread(left) && isNumber(right, 1);
}

interface Asked {
  readonly entry: RuleEntry;
  readonly serial: Serial;
  readonly block: BlockShape;
}

function answer(input: RuleInput, view: KernelView, { entry, serial, block }: Asked): RuleAnswer {
  const { loop, turns } = serial;
  const { instructions } = countsOf(input, loop.loop);
  if (instructions === 0) return not("no-evidence", "the loop was not counted", loop.loop);
  const saved = shareSaved(instructions * (1 - 1 / warp), input.counters.totals.instructions);
  const gain = gainOn(input, ["issue", "latency", "integer", "fp32"], saved);
  const edits =
    block.sizes[0] % warp === 0
      ? dealtOut(view, serial)
      : not("launch", "the block is not whole warps", view.line);
  if (isNot(edits)) return { ...edits, gain };
  const facts = { file: input.file, line: lineOf(loop.loop), counter: "instructions" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { turns: String(turns) }),
    evidence: evidenceFor(
      entry,
      { ...facts, value: instructions, ideal: Math.ceil(instructions / warp) },
      { turns: String(turns) },
    ),
    gain,
  };
}

function dealtOut(view: KernelView, { loop, choice }: Omit<Serial, "turns">): readonly TextEdit[] | RuleHold {
  const values = valuesOf(loop);
  if (isNot(values)) return values;
  const leaves = view.body.descendantsOfType("return_statement")[0];
  if (choice.parent?.id !== view.body.id || leaves !== undefined)
    return not("cooperation", "not all threads come to where one of them combines", leaves ?? choice);
  const combined: Combined[] = [];
  for (const value of values) {
    const begun = beginningOf(view, { loop, choice }, value);
    if (isNot(begun)) return begun;
    combined.push({ value, ...begun });
  }
  const late = lateName(view, { loop, choice }, combined);
  if (late !== undefined) return not("dependence", `${late.text} is known to one thread only`, late);
  return rewritten(view, { loop, choice }, combined);
}

/** The sums and extremes that a loop makes; a guard's answer where it makes anything else. */
function valuesOf({ loop, body, variable, step, start, bound, comparison }: CountedLoop) {
  const byOne = step.operator === "+" && (step.amount === undefined || step.amount.text === "1");
  if (!byOne || !["<", "<="].includes(comparison) || !isPure(start) || !isPure(bound))
    return not("no-pattern", `${variable} does not count up to an end by one`, loop);
  const [acts] = body.descendantsOfType(["break_statement", "return_statement", "goto_statement"]);
  if (acts !== undefined) return not("dependence", "the loop may end in its middle", acts);
  const stored = changes(body).find(({ target }) => !/^\w+(?:\.\w+)?$/.test(compact(target)));
  if (stored !== undefined) return not("dependence", "the loop stores elements", stored.act);
  const carried = carriedValues(body, variable, { members: true });
  if (isNot(carried)) return carried;
  const other = carried.find(
    ({ combination, place }) => place !== undefined || !["sum", "greatest", "least"].includes(combination),
  );
  if (other !== undefined) return not("no-rewrite", `${other.name} is no sum or extreme by itself`, loop);
  return carried.length > 0 ? carried : not("no-pattern", "the loop makes no sum or extreme", loop);
}

/** What a lane's part of a value starts from, and its type; a guard's answer where that is not known. */
function beginningOf(
  view: KernelView,
  { loop, choice }: Omit<Serial, "turns">,
  { name, combination }: CarriedValue,
): Omit<Combined, "value"> | RuleHold {
  const [object = name, member] = name.split(".");
  const whole = localTypes(view).get(object);
  const type = member === undefined || whole === undefined ? whole : memberType(view, whole, member);
  if (type === undefined || type === "auto")
    return not("type", `the type of ${name} is not known`, loop.loop);
  if (combination === "sum") return { type, start: `static_cast<${type}>(0)` };
  const [local, ...again] = localValues(view.body).filter((each) => each.name === name);
  if (local === undefined || again.length > 0 || !isPure(local.value))
    return not("dependence", `${name} is not declared once with a plain value`, loop.loop);
  const changed = changes(view.body).find(
    ({ target }) => target.text === name && isInside(target, choice) && !isInside(target, loop.loop),
  );
  // Whatever an extreme starts from may be met more than once.
  return changed === undefined
    ? { type, start: local.value.text, first: local.value }
    : not("dependence", `${name} is changed beside the loop`, changed.act);
}

/** A name of the loop that only the first thread's branch declares, other than what the loop makes. */
function lateName(
  view: KernelView,
  { loop, choice }: Omit<Serial, "turns">,
  combined: readonly Combined[],
): SyntaxNode | undefined {
  const inside = new Set(
    localValues(view.body)
      .filter(({ declaration }) => isInside(declaration, choice) && !isInside(declaration, loop.loop))
      .map(({ name }) => name),
  );
  const own = new Set([loop.variable, ...combined.map(({ value }) => objectOf(value.name))]);
  return [loop.loop, ...combined.flatMap(({ first }) => first ?? [])]
    .flatMap((node) => node.descendantsOfType("identifier"))
    .find(({ text }) => !own.has(text) && inside.has(text));
}

/** The variable that a value is, or is a member of. */
function objectOf(name: string): string {
  return name.split(".")[0] ?? name;
}

interface Combined {
  readonly value: CarriedValue;
  readonly type: string;
  /** What a lane's part starts from. */
  readonly start: string;
  /** The expression behind that, where it is the kernel's own. */
  readonly first?: SyntaxNode;
}

function rewritten(
  view: KernelView,
  { loop, choice }: Omit<Serial, "turns">,
  combined: readonly Combined[],
): readonly TextEdit[] {
  const { source } = view;
  const offset = freshName(source, "offset");
  const parts = combined.map(({ value, ...rest }) => ({
    ...{ ...rest, value, name: value.name, combination: value.combination },
    part: freshName(source, `${value.name}Part`),
  }));
  const range = { start: loop.body.startIndex, end: loop.body.endIndex };
  const body = editedText(
    source,
    range,
    parts.flatMap(({ name, part }) => usesOf(loop.body, name).map((use) => replaceNode(use, part))),
  );
  const plain = loop.type.replace(/\bconst\b/g, "").trim();
  const indent = indentOf(source, choice);
  const lines = [
    ...parts.map(({ type, part, start }) => `${type} ${part} = ${start};`),
    `if (threadIdx.x < ${warp}) {`,
    `  for (${plain} ${loop.variable} = ${loop.start.text} + threadIdx.x; ${loop.condition.text}; ${loop.variable} += ${warp}) ${body}`,
    ...parts.map(({ part, combination }) => `  ${combinedByWarp({ name: part, combination }, offset)}`),
    "}",
  ];
  const braces = parts.length > 1 && loop.loop.parent?.type !== "compound_statement";
  const taken = parts.map(takenOver).join(`\n${indentOf(source, loop.loop)}`);
  return [
    insertBefore(choice, `${lines.join(`\n${indent}`)}\n${indent}`),
    {
      ...replaceNode(loop.loop, braces ? `{ ${taken} }` : taken),
      start: (unrollOf(loop) ?? loop.loop).startIndex,
    },
  ];
}

/** The statement by which the first thread takes over what its warp has put together. */
function takenOver({ value: { name, combination }, part }: Combined & { readonly part: string }): string {
  if (combination === "sum") return `${name} += ${part};`;
  return `if (${part} ${combination === "greatest" ? ">" : "<"} ${name}) ${name} = ${part};`;
}

/** `#pragma unroll` right above a loop. */
function unrollOf({ loop }: CountedLoop): SyntaxNode | undefined {
  const above = loop.previousNamedSibling;
  return above !== null && /^#\s*pragma\s+unroll/.test(above.text) ? above : undefined;
}
