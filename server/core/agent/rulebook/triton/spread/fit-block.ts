import { compact, isInside, lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode } from "../../edits";
import { evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import {
  gridFollows,
  isCallOf,
  languageCalls,
  launchConstant,
  type LaunchConstant,
  launchValue,
  maskOf,
  positional,
  secondDimension,
  tritonKernel,
  type TritonView,
  walkIn,
} from "../kernel";
import { importsWhole } from "../multiprocessors";
import { isSteadyLength } from "../passes/fuse-row-passes";
import { dependencesOf } from "./dependence";
import { rowLengths } from "./row-lengths";

/** A block that is much longer than the row that it holds becomes as long as the row. */
export const fitBlock = defineRule("triton-fit-block", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const block = looseBlock(view);
  if (isNot(block)) return block;
  const longest = Math.max(0, ...rowLengths(input));
  const fitting = 2 ** Math.ceil(Math.log2(Math.max(1, longest)));
  if (longest === 0 || block.value < threshold(entry, "ratio") * fitting)
    return not("no-evidence", `rows of ${longest} elements fill a block of ${block.value}`, block.holder);
  const { instructions: value } = input.counters.totals;
  const ideal = Math.ceil((value * fitting) / block.value);
  const { parameter, length } = block;
  const facts = { file: input.file, line: lineOf(block.holder), counter: "instructions" as const };
  const evidence = evidenceFor(
    entry,
    { ...facts, value, ideal },
    { elements: block.value, length: longest, parameter },
  );
  const text = `min(${block.value}, triton.next_power_of_2(${length}))`;
  return {
    kind: "proposal",
    tree: editedTree(input, [replaceNode(block.passed, text)]),
    hypothesis: fillSentence(entry.hypothesis, { parameter }),
    evidence,
    gain: gainOn(input, ["issue", "l2", "latency"], 1 - fitting / block.value),
  };
});

interface LooseBlock extends LaunchConstant {
  readonly parameter: string;
  /** What the launch passes for it. */
  readonly passed: SyntaxNode;
  /** What ends the row, in the host's words. */
  readonly length: string;
}

/** The only block of a kernel that takes a row at once, under a mask that says where the row ends. */
function looseBlock(view: TritonView): LooseBlock | RuleHold {
  const tile = secondDimension(view);
  if (tile !== undefined) return not("no-pattern", "the kernel works on tiles of two dimensions", tile);
  const spans = languageCalls(view, ["arange"]);
  const [parameter, ...others] = new Set(spans.map((span) => positional(span)[1]?.text ?? ""));
  if (parameter === undefined || others.length > 0)
    return not("no-pattern", "the elements of a program are not one arange", view.line);
  const constant = launchConstant(view, parameter);
  const passed = launchValue(view, parameter);
  if (constant === undefined || passed === undefined || view.tuned)
    return not("launch", `${parameter} is no constant of the launch`, view.launch.call);
  if (!isInside(passed, view.launch.call))
    return not("launch", `the launch passes nothing for ${parameter}`, view.launch.call);
  const bare = bareLanes(view);
  if (bare !== undefined) return bare;
  if (walkIn(view, parameter) !== undefined)
    return not("no-pattern", "a row is longer than the block", view.line);
  if (gridFollows(view, parameter, constant.local))
    return not("no-pattern", "programs are numbered along their elements", view.line);
  const length = endOf(view, spans);
  if (length === undefined) return not("launch", "the launch passes no plain length of a row", view.line);
  if (!importsWhole(view.source, "triton"))
    return not("launch", "the file does not import triton by its name", view.line);
  return { ...constant, parameter, passed, length };
}

/** `n` of the mask `cols < n`, where the launch passes it: the one end of all lanes of the kernel. */
function endOf(view: TritonView, spans: readonly SyntaxNode[]): string | undefined {
  const lanes = new Set(
    spans.flatMap((span) => {
      const act = span.parent;
      const name = act?.type === "assignment" ? act.childForFieldName("left")?.text : undefined;
      return [compact(span), ...(name === undefined ? [] : [name])];
    }),
  );
  const ends = view.body.descendantsOfType("comparison_operator").flatMap((node) => {
    const [left, right, ...more] = partsOf(node);
    const isEnd = more.length === 0 && /[^<>=]<[^<=]/.test(compact(node)) && lanes.has(compact(left));
    return isEnd && right !== undefined ? [right] : [];
  });
  const [first, ...others] = new Set(ends.map(({ text }) => text));
  const given = first === undefined || others.length > 0 ? undefined : launchValue(view, first);
  const isKept =
    first !== undefined && usesOf(view.body, first).every(({ parent }) => !isGiven(parent, first));
  return given !== undefined && isKept && isSteadyLength(given) ? given.text : undefined;
}

/** An access of the block without a mask needs every lane. */
function bareLanes(view: TritonView): RuleHold | undefined {
  const of = dependencesOf(view, (node) =>
    isCallOf(view, node, "arange") ? { programs: false, lanes: true } : undefined,
  );
  const bare = languageCalls(view, ["load", "store", "atomic_add", "atomic_max", "atomic_min"]).find(
    (call) => {
      const [address] = positional(call);
      return address !== undefined && of(address).lanes && maskOf(view, call) === undefined;
    },
  );
  return bare && not("no-pattern", "an access has no mask, so that all lanes are needed", bare);
}

function isGiven(node: SyntaxNode | null, name: string): boolean {
  const isAct = node?.type === "assignment" || node?.type === "augmented_assignment";
  return isAct && node.childForFieldName("left")?.text === name;
}
