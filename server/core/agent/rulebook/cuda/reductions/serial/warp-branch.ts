import { arraysOf } from "../../../../../language/cuda/body/arrays";
import { type CountedLoop, countedLoops, statementsOf } from "../../../../../language/cuda/body/loops";
import { changes, isPure } from "../../../../../language/cuda/body/scope";
import { compact, lineOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { editedText, editedTree, freshName, indentOf, replaceNode } from "../../../edits";
import { countsOf, evidenceFor, gainOn } from "../../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../../rule";
import { defineRule, type RuleEntry, threshold } from "../../../rule-table";
import { cudaKernel, type KernelView } from "../../kernel";
import { launchedBlocks, rowOfThreads } from "../../launch/block-shape";
import { carriedValues, combinedByWarp } from "../../rows/carried-values";
import { localTypes } from "../../spelling/calls/objects";
import { notForAll } from "./reached-by-all";
import { type Branch, branchesOf, declaredNames, ownThreadsValue } from "./lone-branches";

const warp = 32;
const waiting = "__syncwarp();";
/** Types whose parts can be shuffled. */
const shuffled = /^(?:float|double|int|unsigned|unsigned int|long long|size_t|u?int(?:32|64)_t)$/;

/** Lets the first warp walk together through what the first thread of a block does alone. */
export const warpBranch = defineRule("cuda-warp-branch", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = rowOfThreads(input, view);
  if (isNot(block)) return block;
  const branches = branchesOf(view);
  if (branches.length === 0)
    return not("no-pattern", "no thread walks over elements of its block alone", view.line);
  if (block.sizes[0] % warp !== 0) return not("launch", "the block is not whole warps", view.line);
  return branches.map((branch) => answer(input, view, { entry, branch }));
});

interface Asked {
  readonly entry: RuleEntry;
  readonly branch: Branch;
}

function answer(input: RuleInput, view: KernelView, { entry, branch }: Asked): RuleAnswer {
  const instructions = branch.loops.reduce((sum, { loop }) => sum + countsOf(input, loop).instructions, 0);
  const blocks = Math.max(1, launchedBlocks(input, view) ?? 1);
  const each = Math.round(instructions / blocks);
  if (each < threshold(entry, "instructionsEach"))
    return not("no-evidence", "what one thread does alone is little", branch.choice);
  const gain = gainOn(input, ["latency", "issue", "integer", "fp32"], threshold(entry, "share"));
  const lines = warpLines(view, branch);
  if (isNot(lines)) return { ...lines, gain };
  const text = ["if (threadIdx.x < 32) {", ...lines.map((line) => `  ${line}`), "}"];
  const [first] = branch.loops;
  const line = lineOf(first?.loop ?? branch.choice);
  return {
    kind: "proposal",
    tree: editedTree(input, [
      replaceNode(branch.choice, text.join(`\n${indentOf(view.source, branch.choice)}`)),
    ]),
    hypothesis: entry.hypothesis,
    evidence: evidenceFor(
      entry,
      {
        ...{ file: input.file, line, counter: "instructions" as const },
        ...{ value: instructions, ideal: Math.ceil(instructions / warp) },
      },
      { each: String(each) },
    ),
    gain,
  };
}

/** What a statement of the branch may change and read. */
interface Walk {
  readonly view: KernelView;
  readonly branch: Branch;
  /** Names that are declared in the branch: each lane has its own. */
  readonly own: ReadonlySet<string>;
  /** Shared variables that a statement of the branch has given a value so far. */
  readonly begun: Set<string>;
  readonly offset: string;
}

/** The statements as a warp runs them; a guard's answer where it cannot. */
function warpLines(view: KernelView, branch: Branch): readonly string[] | RuleHold {
  const held = notForAll(view, branch) ?? ownThreadsValue(view, branch);
  if (held !== undefined) return held;
  const declared = branch.consequence.descendantsOfType("declaration").flatMap(declaredNames);
  const walk: Walk = {
    ...{ view, branch, own: new Set(declared), begun: new Set<string>() },
    offset: freshName(view.source, "offset"),
  };
  const lines: string[] = [];
  for (const statement of statementsOf(branch.consequence)) {
    const loop = branch.loops.find((each) => each.loop.id === statement.id);
    const own = loop === undefined ? statementLines(walk, statement) : walkLines(walk, loop);
    if (isNot(own)) return own;
    lines.push(...own);
  }
  // At its beginning the branch comes from a barrier of the block, or reads nothing of other threads.
  return lines.filter((line, index) => line !== waiting || (index > 0 && lines[index - 1] !== waiting));
}

/** A statement that every lane runs where it changes its own variables alone, else the first lane. */
function statementLines(walk: Walk, statement: SyntaxNode): readonly string[] | RuleHold {
  const text = statement.text;
  if (statement.type === "comment") return [text];
  // Each lane has too few turns to unroll.
  if (/^#\s*pragma\s+unroll/.test(text)) return [];
  if (statement.type.startsWith("preproc"))
    return not("no-rewrite", "conditions of the preprocessor stand in the branch", statement);
  const [acts] = statement.descendantsOfType(["return_statement", "break_statement", "goto_statement"]);
  if (acts !== undefined || /\b__sync\w*|\bwhile\b|\bfor\b|\bdo\b/.test(text))
    return not("no-rewrite", "one thread does more than walk over elements", acts ?? statement);
  const changed = changes(statement).map(({ target }) => target);
  const isOwn = (node: SyntaxNode): boolean => node.type === "identifier" && walk.own.has(node.text);
  if (statement.type === "declaration" || (changed.length > 0 && changed.every(isOwn))) return [text];
  if (changed.some(isOwn)) return not("no-rewrite", "lanes would keep other values", statement);
  const kept = changed.find((node) => node.type === "identifier" && !isShared(walk.view, node.text));
  if (kept !== undefined) return not("no-rewrite", `${kept.text} is kept by one thread`, statement);
  for (const { text: name } of changed) walk.begun.add(name);
  return [waiting, `if (threadIdx.x == 0) ${text}`, waiting];
}

function isShared(view: KernelView, name: string): boolean {
  return view.body
    .descendantsOfType("declaration")
    .some((node) => /\b__shared__\b/.test(node.text) && declaredNames(node).includes(name));
}

/** A loop whose turns are dealt out, or in which those of the loops within are. */
function walkLines(walk: Walk, loop: CountedLoop): readonly string[] | RuleHold {
  const dealt = loopLines(walk, loop);
  const together = isNot(dealt) ? togetherLines(walk, loop) : dealt;
  return together !== undefined && !isNot(together) ? together : dealt;
}

/**
 * A loop that needs its turns in order: all lanes go through it together, each with the same values, and
 * share the turns of the loops in it. Undefined where none stands in it.
 */
function togetherLines(walk: Walk, outer: CountedLoop): readonly string[] | RuleHold | undefined {
  const { loop, body, variable, condition, start, update } = outer;
  const statements = statementsOf(body);
  const inner = countedLoops(body).filter(({ loop: { id } }) => statements.some((each) => each.id === id));
  if (inner.length === 0) return undefined;
  if (![condition, start].every(isPure) || isChangedIn(body, variable))
    return not("no-pattern", `${variable} is no plain count of turns`, loop);
  const lines: string[] = [];
  for (const statement of statements) {
    const within = inner.find((each) => each.loop.id === statement.id);
    const own = within === undefined ? statementLines(walk, statement) : loopLines(walk, within);
    if (isNot(own)) return own;
    lines.push(...own);
  }
  const head = `for (${outer.type} ${variable} = ${start.text}; ${condition.text}; ${update.text}) {`;
  return [head, ...lines.map((line) => `  ${line}`), "}", waiting];
}

function isChangedIn(body: SyntaxNode, name: string): boolean {
  return changes(body).some(({ target }) => target.text === name);
}

/** A loop whose turns are dealt out to the lanes, with what it sums up put together by shuffles. */
function loopLines(walk: Walk, loop: CountedLoop): readonly string[] | RuleHold {
  const { view, own, offset } = walk;
  const held = notInAnyOrder(view, loop);
  if (held !== undefined) return held;
  const carried = carriedValues(loop.body, loop.variable);
  if (isNot(carried)) return carried;
  const types = localTypes(view);
  const parts: { name: string; type: string; part: string; combination: "sum" | "greatest" | "least" }[] = [];
  for (const { name, combination, place } of carried) {
    const type = types.get(name) ?? "";
    if (place !== undefined || !["sum", "greatest", "least"].includes(combination) || !shuffled.test(type))
      return not("no-rewrite", `${name} is no sum or extreme of plain numbers`, loop.loop);
    if (!own.has(name) && !isShared(view, name))
      return not("no-rewrite", `${name} is kept by one thread`, loop.loop);
    if (combination !== "sum" && !own.has(name) && !walk.begun.has(name))
      return not("dependence", `${name} has its first value from elsewhere`, loop.loop);
    const known = combination as "sum" | "greatest" | "least";
    parts.push({ name, type, part: freshName(view.source, `${name}Part`), combination: known });
  }
  const range = { start: loop.body.startIndex, end: loop.body.endIndex };
  const uses = parts.flatMap(({ name, part }) =>
    usesOf(loop.body, name).map((use) => replaceNode(use, part)),
  );
  const body = editedText(view.source, range, uses);
  const plain = loop.type.replace(/\bconst\b/g, "").trim();
  const { variable, start, condition } = loop;
  const head = `for (${plain} ${variable} = ${start.text} + threadIdx.x; ${condition.text}; ${variable} += ${warp})`;
  return [
    ...parts.map(
      ({ name, type, part, combination }) => `${type} ${part} = ${combination === "sum" ? "0" : name};`,
    ),
    `${head} ${body}`,
    ...parts.map(({ part, combination }) => combinedByWarp({ name: part, combination }, offset)),
    // Shuffles order no accesses to memory: lanes may still read what is stored now.
    waiting,
    ...parts.map(({ name, part, combination }) => {
      const taken = combination === "sum" ? `${name} += ${part};` : `${name} = ${part};`;
      return own.has(name) ? taken : `if (threadIdx.x == 0) ${taken}`;
    }),
    waiting,
  ];
}

/** Why the turns of a loop may not be run side by side. */
function notInAnyOrder(
  view: KernelView,
  { loop, body, variable, step, start, bound, comparison }: CountedLoop,
): RuleHold | undefined {
  const byOne = step.operator === "+" && (step.amount === undefined || step.amount.text === "1");
  if (!byOne || !["<", "<="].includes(comparison) || !isPure(start) || !isPure(bound))
    return not("no-pattern", `${variable} does not count up to an end by one`, loop);
  const [acts] = body.descendantsOfType(["break_statement", "return_statement", "goto_statement"]);
  if (acts !== undefined || /\b__sync\w*|\batomic\w+/.test(body.text))
    return not("dependence", "the loop may end in its middle, or waits", acts ?? loop);
  return otherTurns(view, { loop, body, variable });
}

/** An element that is stored, and may be one that another turn reads or stores. */
function otherTurns(
  view: KernelView,
  { loop, body, variable }: Pick<CountedLoop, "loop" | "body" | "variable">,
): RuleHold | undefined {
  const shared = new Set(
    arraysOf(view.body).flatMap(({ name, storage }) => (storage === "local" ? [] : name)),
  );
  const stored = changes(body).filter(({ target }) => target.type !== "identifier");
  for (const { target, act } of stored) {
    const name = target.descendantsOfType("identifier")[0]?.text ?? "";
    const element = `${name}[${variable}]`;
    const others = usesOf(body, name).filter(({ parent }) => compact(parent ?? loop) !== element);
    if (!shared.has(name) || compact(target) !== element || others.length > 0)
      return not("dependence", `${compact(target)} may be an element of another turn`, act);
  }
  return undefined;
}
