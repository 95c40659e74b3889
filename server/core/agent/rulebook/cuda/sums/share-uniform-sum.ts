import { countedLoops } from "../../../../language/cuda/body/loops";
import { changes, isPure } from "../../../../language/cuda/body/scope";
import { variesWithThread } from "../../../../language/cuda/body/threads";
import { compact, lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, editedTree, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { blockShape } from "../launch/block-shape";
import { earlyExits, exitCondition } from "../reductions/early-exit";
import { combinedByWarp } from "../rows/carried-values";
import { type SharedSum, sharedSum } from "./uniform-sums";

const warp = 32;

/**
 * Lets the threads of a block make a sum or an extreme together that each of them makes alone, of the same
 * elements. Threads that leave early do so behind it, unless all of the block leave.
 */
export const shareUniformSum = defineRule("cuda-share-uniform-sum", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = blockShape(input, view);
  if (isNot(block)) return block;
  const threads = block.sizes[0] * block.sizes[1] * block.sizes[2];
  const varies = differsIn(view);
  const read = countedLoops(view.body)
    .filter(({ loop }) => loop.parent?.id === view.body.id)
    .map((loop) => sharedSum(view, loop, varies));
  const loops = read.flatMap((each) => (isNot(each) ? [] : [each]));
  const [first] = loops;
  const last = loops.at(-1);
  if (first === undefined || last === undefined)
    return (
      read.find(isNot) ?? not("no-pattern", "no loop does the same in all threads of a block", view.line)
    );
  const { totals } = input.counters;
  const value = loops.reduce((sum, { loop }) => sum + countsOf(input, loop.loop).instructions, 0);
  const share = shareSaved(value * (1 - 1 / threads), totals.instructions);
  if (share < threshold(entry, "shareLeast"))
    return not("no-evidence", "what all threads of a block do alike is little", first.loop.loop);
  const gain = gainOn(input, ["issue", "latency", "l1", "l2", "fp32", "integer"], share);
  if (threads % warp !== 0 || threads === warp)
    return { ...not("launch", "the block is not several whole warps", view.line), gain };
  const exits = movedExits(view, { first, last }, varies);
  if (isNot(exits)) return { ...exits, gain };
  const flat = block.sizes[0] === threads;
  const facts = { file: input.file, line: lineOf(first.loop.loop), counter: "instructions" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, [...exits, ...sharedLoops(view, loops, flat)]),
    hypothesis: fillSentence(entry.hypothesis, { threads }),
    evidence: evidenceFor(entry, { ...facts, value, ideal: Math.ceil(value / threads) }),
    gain,
  };
});

/** Tells of an expression whether threads of a block may have another value. */
function differsIn({ model, body }: KernelView): (node: SyntaxNode) => boolean {
  const varies = (["x", "y", "z"] as const).map((axis) => variesWithThread(model, body, axis));
  return (node) => varies.some((differs) => differs(node));
}

interface Span {
  readonly first: SharedSum;
  readonly last: SharedSum;
}

/**
 * Early exits of single threads behind the last loop, in place of those in front of it, where the block
 * leaves if all of its threads would; a guard's answer where what stands between needs the exit.
 */
function movedExits(
  view: KernelView,
  { first, last }: Span,
  varies: (node: SyntaxNode) => boolean,
): readonly TextEdit[] | RuleHold {
  const all = earlyExits(view, first.loop.loop);
  if (isNot(all)) return all;
  const exits = all.filter((exit) => varies(exitCondition(exit)));
  const [earliest] = exits;
  const held = exits.map((exit) => exitHeld(view, exit)).find((each) => each !== undefined);
  if (held !== undefined) return held;
  const guards = new Set(all.map(({ id }) => id));
  const between = partsOf(view.body).filter(
    (node) =>
      earliest !== undefined &&
      node.startIndex > earliest.endIndex &&
      node.endIndex <= last.loop.loop.startIndex &&
      !guards.has(node.id),
  );
  const risky = between.find((node) => reads(node) && varies(node));
  if (risky !== undefined)
    return not("dependence", `what stands on line ${lineOf(risky)} is not for threads that have left`, risky);
  const indent = indentOf(view.source, last.loop.loop);
  const end = last.loop.loop.endIndex;
  return exits.flatMap((exit) => {
    const { text } = exitCondition(exit);
    return [
      replaceNode(exit, `if (!__syncthreads_or(!(${text}))) return;`),
      { start: end, end, text: `\n${indent}if (${text}) return;` },
    ];
  });
}

/** An exit whose condition is not the same later on. */
function exitHeld({ body }: KernelView, exit: SyntaxNode): RuleHold | undefined {
  const condition = exitCondition(exit);
  const names = condition.descendantsOfType("identifier").map(({ text }) => text);
  const changed = names.find((name) =>
    changes(body).some(({ target, act }) => target.text === name && act.startIndex > exit.startIndex),
  );
  if (!isPure(condition) || changed !== undefined)
    return not("dependence", `${compact(condition)} may change behind the exit`, exit);
  return undefined;
}

/** True for a statement that loads, stores or calls: other than arithmetic on names. */
function reads(node: SyntaxNode): boolean {
  const kinds = ["subscript_expression", "pointer_expression", "call_expression"];
  return node.descendantsOfType(kinds).length > 0 || node.text.includes("->");
}

/** The loops, whose turns the threads take, with what their parts come to. */
function sharedLoops(view: KernelView, loops: readonly SharedSum[], flat: boolean): readonly TextEdit[] {
  const { source } = view;
  let taken = source;
  const word = (wish: string): string => {
    const name = freshName(taken, wish);
    taken += ` ${name} `;
    return name;
  };
  const thread = flat ? "threadIdx.x" : word("thread");
  const step = flat ? "blockDim.x" : "blockDim.x * blockDim.y * blockDim.z";
  const number = "(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x";
  const how = { thread, step, offset: word("offset"), other: word("otherWarp"), word };
  const [first] = loops;
  const declared = `const int ${thread} = ${number};\n${indentOf(source, first?.loop.loop ?? view.body)}`;
  return loops.map((each, place) => {
    const text = sharedLoop(view, each, how);
    const { start, node } = placeOf(each);
    return { start, end: node.endIndex, text: place === 0 && !flat ? `${declared}${text}` : text };
  });
}

/** The loop with the directive that asks for unrolling it. */
function placeOf({ loop: { loop } }: SharedSum): { readonly start: number; readonly node: SyntaxNode } {
  const before = loop.previousNamedSibling;
  const unrolls = before?.type.startsWith("preproc") === true && /#\s*pragma\s+unroll/.test(before.text);
  return { start: unrolls ? before.startIndex : loop.startIndex, node: loop };
}

interface How {
  readonly thread: string;
  readonly step: string;
  readonly offset: string;
  readonly other: string;
  readonly word: (wish: string) => string;
}

function sharedLoop({ source }: KernelView, { loop, values }: SharedSum, how: How): string {
  const { thread, step, offset, other, word } = how;
  const parts = values.map((value) => ({
    ...{ ...value, part: word(`${value.name} part`), found: word(`${value.name} of warps`) },
  }));
  const range = { start: loop.body.startIndex, end: loop.body.endIndex };
  const uses = parts.flatMap(({ name, part }) =>
    usesOf(loop.body, name).map((use) => replaceNode(use, part)),
  );
  const type = loop.type.replace(/\bconst\b/g, "").trim();
  const { variable, start, condition } = loop;
  const from = compact(start) === "0" ? thread : `${start.text} + ${thread}`;
  const head = `for (${type} ${variable} = ${from}; ${condition.text}; ${variable} += ${step})`;
  const taken = parts.map(({ name, combination, found }) =>
    combination === "sum"
      ? `${name} += ${found}[${other}];`
      : `if (${found}[${other}] ${combination === "greatest" ? ">" : "<"} ${name}) ${name} = ${found}[${other}];`,
  );
  const lines = [
    ...parts.map(({ name, type: own, combination, part, found }) => {
      const begun = combination === "sum" ? "0" : name;
      return `__shared__ ${own} ${found}[${warp}];\n${own} ${part} = ${begun};`;
    }),
    `${head} ${editedText(source, range, uses)}`,
    ...parts.map(({ part, combination }) => combinedByWarp({ name: part, combination }, offset)),
    `if (${thread} % ${warp} == 0) {`,
    ...parts.map(({ part, found }) => `  ${found}[${thread} / ${warp}] = ${part};`),
    "}",
    "__syncthreads();",
    `for (int ${other} = 0; ${other} < ${step} / ${warp}; ++${other}) {`,
    ...taken.map((line) => `  ${line}`),
    "}",
  ];
  return lines.join("\n").replaceAll("\n", `\n${indentOf(source, loop.loop)}`);
}
