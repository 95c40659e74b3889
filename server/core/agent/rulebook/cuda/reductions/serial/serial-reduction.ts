import type { CountedLoop } from "../../../../../language/cuda/body/loops";
import { changes, isPure, localValues } from "../../../../../language/cuda/body/scope";
import { compact, isInside, lineOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import {
  editedText,
  editedTree,
  freshName,
  indentOf,
  insertBefore,
  replaceNode,
  type TextEdit,
} from "../../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../../rule-table";
import { cudaKernel, type KernelView } from "../../kernel";
import { type BlockShape, rowOfThreads } from "../../launch/block-shape";
import { type CarriedValue, carriedValues, combinedByWarp } from "../../rows/carried-values";
import { localTypes } from "../../spelling/calls/objects";
import { memberType } from "../../structures/structure-layout";
import { notForAll } from "./reached-by-all";
import { lateName, type Serial, serialLoops, unrollOf } from "./serial-loops";

const warp = 32;

/** Deals what one thread combines out of shared memory to the lanes of a warp, which then shuffle. */
export const serialReduction = defineRule("cuda-serial-reduction", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = rowOfThreads(input, view);
  if (isNot(block)) return block;
  const found = serialLoops(view, block);
  const most = threshold(entry, "turnsLeast");
  const long = found.filter(({ turns }) => turns >= most);
  return long.length === 0
    ? not("no-pattern", "no thread combines a long piece of shared memory alone", view.line)
    : long.map((serial) => answer(input, view, { entry, serial, block }));
});

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
  const apart = notForAll(view, { choice });
  if (apart !== undefined) return apart;
  const combined: Combined[] = [];
  for (const value of values) {
    const begun = beginningOf(view, { loop, choice }, value);
    if (isNot(begun)) return begun;
    combined.push({ value, ...begun });
  }
  const late = lateName(
    view,
    { loop, choice },
    {
      parts: [loop.loop, ...combined.flatMap(({ first }) => first ?? [])],
      own: new Set([loop.variable, ...combined.map(({ value }) => objectOf(value.name))]),
    },
  );
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
