import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { arraysOf } from "../../../../language/cuda/body/arrays";
import { changes } from "../../../../language/cuda/body/scope";
import { compact, enclosing, fieldText, isInside, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOnAccesses, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";

const LOOPS = ["for_statement", "while_statement", "do_statement"];
/** What may keep a turn of a loop from coming to a load. */
const MAYBE = ["if_statement", "conditional_expression", "switch_statement", "lambda_expression"];

/**
 * Loads what no turn of a loop changes in front of the loop. Stores in the loop keep the compiler from that,
 * as they might change it; arrays of different parameters are taken not to overlap.
 */
export const loadBeforeLoop = defineRule("cuda-load-before-loop", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const found = steadyLoads(view);
  if (isNot(found)) return found;
  const [first] = found;
  if (first === undefined) return not("no-pattern", "no loop loads the same element in each turn", view.line);
  const value = Math.round(requestsOn(input, view, found));
  const { totals } = input.counters;
  const saved = value - Math.min(value, warpsOf(input) * found.length);
  const part = shareSaved(saved, totals.globalLoadRequests + totals.globalStoreRequests);
  if (part < threshold(entry, "shareLeast"))
    return not("no-evidence", "the turns of the loop share few loads", first.node);
  const facts = {
    ...{ file: input.file, line: lineOf(first.node), counter: "globalLoadRequests" as const },
    ...{ value, ideal: value - saved },
  };
  return {
    kind: "proposal",
    tree: editedTree(input, edits(view, found)),
    hypothesis: fillSentence(entry.hypothesis, { loads: wordsFor(found) }),
    evidence: evidenceFor(entry, facts),
    gain: gainOnAccesses(input, ["l1", "latency"], {
      requests: totals.globalLoadRequests + totals.globalStoreRequests,
      fraction: part,
    }),
  };
});

interface SteadyLoad {
  readonly node: SyntaxNode;
  readonly text: string;
  /** The outermost loop that does not change what is loaded. */
  readonly loop: SyntaxNode;
}

function steadyLoads(view: KernelView): readonly SteadyLoad[] | RuleHold {
  let held: RuleHold | undefined;
  const loads = loadsOf(view).flatMap((node) => {
    const loop = loopOf(view, node);
    // Where nothing is stored the compiler does the same.
    if (loop === undefined || !changesMemory(view, loop)) return [];
    const reason = maybeSkipped(node, loop) ?? maybeChanged(view, node);
    held ??= reason;
    return reason === undefined ? [{ node, text: compact(node), loop }] : [];
  });
  return loads.length === 0 && held !== undefined ? held : loads;
}

/** True where a loop stores something, or waits for other threads to do so. */
function changesMemory({ kernel }: KernelView, loop: SyntaxNode): boolean {
  const { accesses, atomics } = cudaAccesses(kernel);
  const stores = [...accesses, ...atomics].some((access) => access.stores && isInside(access.node, loop));
  return stores || /\b__(?:syncthreads|syncwarp|threadfence)\w*\(/.test(loop.text);
}

/** Elements of the kernel's parameters, and members behind pointers, that are loaded alone. */
function loadsOf({ kernel, body }: KernelView): readonly SyntaxNode[] {
  const { accesses } = cudaAccesses(kernel);
  const elements = accesses
    .filter(({ loads, stores, node }) => loads && !stores && node.type === "subscript_expression")
    .map(({ node }) => whole(node));
  const pointers = kernel.facts.parameters.filter(({ pointer }) => pointer).map(({ name }) => name);
  const members = body
    .descendantsOfType("field_expression")
    .filter((node) => fieldText(node, "operator") === "->" && pointers.includes(fieldText(node, "argument")))
    .map(whole);
  return [...new Map([...elements, ...members].map((node) => [node.id, node])).values()].filter(isValue);
}

/** The member that is meant of an element. */
function whole(node: SyntaxNode): SyntaxNode {
  let outer = node;
  while (outer.parent?.type === "field_expression") outer = outer.parent;
  return outer;
}

/** By what a node's parent means more than its value, where it is the parent's part of that name. */
const roles: Readonly<Record<string, string>> = {
  subscript_expression: "argument",
  call_expression: "function",
  assignment_expression: "left",
};

/** True for a node that stands for what is loaded: no address, no target, no object of a call. */
function isValue(node: SyntaxNode): boolean {
  const { parent } = node;
  if (parent === null || ["pointer_expression", "update_expression"].includes(parent.type)) return false;
  const role = roles[parent.type];
  if (role !== undefined && parent.childForFieldName(role)?.id === node.id) return false;
  const declarator = parent.type === "init_declarator" ? parent.childForFieldName("declarator") : null;
  return declarator?.type !== "reference_declarator";
}

/** The outermost loop around a load in which nothing that the load reads is changed or declared. */
function loopOf({ body }: KernelView, node: SyntaxNode): SyntaxNode | undefined {
  let found: SyntaxNode | undefined;
  const names = new Set(node.descendantsOfType("identifier").map(({ text }) => text));
  for (let loop = enclosing(node, ...LOOPS); loop && isInside(loop, body); loop = enclosing(loop, ...LOOPS)) {
    const changed = changes(loop).flatMap(
      ({ target }) => target.descendantsOfType("identifier")[0]?.text ?? [],
    );
    const declared = loop
      .descendantsOfType("declaration")
      .flatMap((each) => each.childrenForFieldName("declarator"))
      .flatMap((each) => each.descendantsOfType("identifier")[0]?.text ?? []);
    if ([...changed, ...declared].some((name) => names.has(name))) break;
    found = loop;
  }
  return found;
}

/** A condition between the load and the loop, where the load may be there for some of the turns only. */
function maybeSkipped(node: SyntaxNode, loop: SyntaxNode): RuleHold | undefined {
  const around = enclosing(node, ...MAYBE);
  if (around !== undefined && isInside(around, loop))
    return not("dependence", `${compact(node)} is loaded under a condition`, node);
  for (let at = node.parent; at !== null && at.id !== loop.id; at = at.parent)
    if (/^(?:&&|\|\|)$/.test(fieldText(at, "operator")))
      return not("dependence", `${compact(node)} is loaded under a condition`, node);
  return undefined;
}

/** Something by which the element may be another one in the next turn. */
function maybeChanged({ kernel, body }: KernelView, node: SyntaxNode): RuleHold | undefined {
  const { accesses, atomics, stored } = cudaAccesses(kernel);
  const own = accesses.filter((access) => isInside(access.node, node)).map(({ parameter }) => parameter);
  const base = node.descendantsOfType(["identifier", "field_expression"]).map(compact);
  const other = [...stored].find((parameter) => own.includes(parameter) || base.includes(parameter));
  if (other !== undefined || atomics.some(({ parameter }) => own.includes(parameter)))
    return not("dependence", `${other ?? compact(node)} is stored to as well`, node);
  const shared = arraysOf(body).find(({ name }) => base.includes(name));
  return shared && not("dependence", `${shared.name} may be stored to by another thread`, node);
}

/** Requests of the lines of the loads, as far as they are theirs. */
function requestsOn(input: RuleInput, view: KernelView, loads: readonly SteadyLoad[]): number {
  const all = loadsOf(view).map(lineOf);
  const lines = new Map(
    loads.map(({ node }) => [lineOf(node), enclosing(node, "expression_statement", "declaration") ?? node]),
  );
  return [...lines].reduce((sum, [line, node]) => {
    const [own, total] = [
      loads.filter((load) => lineOf(load.node) === line),
      all.filter((at) => at === line),
    ];
    return sum + (countsOf(input, node).globalLoadRequests * own.length) / Math.max(1, total.length);
  }, 0);
}

/** Warps of all launches together; none where they are not known. */
function warpsOf({ launches = [] }: RuleInput): number {
  return launches.reduce(
    (sum, { blocks, threadsPerBlock, times }) => sum + blocks * Math.ceil(threadsPerBlock / 32) * times,
    0,
  );
}

function wordsFor(loads: readonly SteadyLoad[]): string {
  const texts = [...new Set(loads.map(({ text }) => text))];
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1) ?? ""}`;
}

function edits({ source }: KernelView, loads: readonly SteadyLoad[]): readonly TextEdit[] {
  let taken = source;
  const made: TextEdit[] = [];
  for (const loop of new Map(loads.map((load) => [load.loop.id, load.loop])).values()) {
    const own = loads.filter((load) => load.loop.id === loop.id);
    const indent = indentOf(source, loop);
    const lines: string[] = [];
    for (const text of new Set(own.map((load) => load.text))) {
      const same = own.filter((load) => load.text === text);
      const name = freshName(taken, `${/(\w+)\W*$/.exec(text.replace(/\[.*\]/, ""))?.[1] ?? "value"}Kept`);
      taken += ` ${name}`;
      lines.push(`const auto ${name} = ${same[0]?.node.text ?? text};\n${indent}`);
      made.push(...same.map(({ node }) => replaceNode(node, name)));
    }
    const braces = loop.parent?.type !== "compound_statement";
    made.push(insertBefore(loop, `${braces ? "{ " : ""}${lines.join("")}`));
    if (braces) made.push({ start: loop.endIndex, end: loop.endIndex, text: " }" });
  }
  return made;
}
