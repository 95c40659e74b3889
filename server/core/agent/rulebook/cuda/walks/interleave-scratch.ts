import { elementOf } from "../../../../language/cuda/body/arrays";
import { comparisonOf, statementsOf } from "../../../../language/cuda/body/loops";
import { isAssigned, localValues } from "../../../../language/cuda/body/scope";
import {
  compact,
  enclosing,
  fieldText,
  isInside,
  lineOf,
  operands,
  partsOf,
  unwrapped,
  usesOf,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved, wasteOf } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { isGlobalThreadIndex } from "../elements/item-loops";
import { cudaKernel, formIn, type KernelView } from "../kernel";
import { rowOfThreads } from "../launch/block-shape";

/**
 * Lays a buffer in which each thread has a stretch of its own out so that the same place of neighbouring
 * threads lies side by side. Only for buffers that the launching function allocates and frees, and nobody
 * else looks into.
 */
export const interleaveScratch = defineRule("cuda-interleave-scratch", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const found = scratchesIn(input, view);
  const [first] = found;
  if (first === undefined)
    return not("no-pattern", "no thread has a stretch of a buffer of its own", view.line);
  const [worst] = found
    .map((scratch) => ({ scratch, ...sectorsOf(input, scratch) }))
    .sort((a, b) => b.value - b.ideal - (a.value - a.ideal));
  if (worst === undefined || wasteOf(worst.value, worst.ideal) < threshold(entry, "ratio"))
    return not(
      "no-evidence",
      "the stretches of the threads cost few sectors",
      first.places[0]?.node ?? view.line,
    );
  const { totals } = input.counters;
  const saved = shareSaved(worst.value - worst.ideal, totals.globalLoadSectors + totals.globalStoreSectors);
  // Copies through shared memory mend the same and cost something: this comes first.
  const factor = threshold(entry, "gainFactor");
  const gain = Math.min(1, factor * gainOn(input, ["dram", "l2", "l1", "latency"], saved));
  const { scratch } = worst;
  const held = seenElsewhere(view, scratch.name);
  if (held !== undefined) return { ...held, gain };
  const [place] = scratch.places;
  const line = lineOf(place?.node ?? view.body);
  const facts = { file: input.file, line, counter: "globalLoadSectors" as const };
  return {
    kind: "proposal",
    tree: editedTree(
      input,
      scratch.places.map(({ index, rest, wide }) => replaceNode(index, placeText(scratch, rest, wide))),
    ),
    hypothesis: fillSentence(entry.hypothesis, { array: scratch.name }),
    evidence: evidenceFor(
      entry,
      { ...facts, value: worst.value, ideal: worst.ideal },
      { array: scratch.name },
    ),
    gain,
  };
});

interface Place {
  readonly node: SyntaxNode;
  readonly index: SyntaxNode;
  /** The place in the thread's stretch, as text; empty for the first. */
  readonly rest: string;
  /** The index is reckoned with 64 bits. */
  readonly wide: boolean;
}

/** A buffer of which each thread has a stretch. */
interface Scratch {
  readonly name: string;
  readonly thread: string;
  /** How many threads have a stretch, as an expression of the kernel. */
  readonly threads: string;
  readonly places: readonly Place[];
}

function placeText({ thread, threads }: Scratch, rest: string, wide: boolean): string {
  if (rest === "") return thread;
  return `${wide ? `static_cast<size_t>(${rest})` : `(${rest})`} * ${threads} + ${thread}`;
}

function scratchesIn(input: RuleInput, view: KernelView): readonly Scratch[] {
  const block = rowOfThreads(input, view);
  const wide = isNot(block) ? undefined : block.sizes[0];
  const [thread, ...others] = localValues(view.body).filter(
    ({ name, value }) => isGlobalThreadIndex(formIn(view, value), wide) && !isAssigned(view.body, name),
  );
  if (thread === undefined || others.length > 0) return [];
  return view.kernel.facts.parameters.flatMap(({ name, pointer }) => {
    const uses = pointer ? usesOf(view.body, name) : [];
    const places = uses.flatMap((use) => placeOf(use, thread.name) ?? []);
    const [size, ...more] = new Set(places.map(({ size: each }) => each));
    const isOne = size !== undefined && size !== "1" && more.length === 0;
    const isWalked = places.some(({ rest }) => rest !== "");
    if (!isOne || !isWalked || places.length < uses.length) return [];
    const threads = guardOf(view, thread.name, places) ?? "(gridDim.x * blockDim.x)";
    return [{ name, thread: thread.name, threads, places }];
  });
}

/** `scratch[thread * size + rest]`. */
function placeOf(use: SyntaxNode, thread: string): (Place & { readonly size: string }) | undefined {
  const access = elementOf(use, 1);
  const [index] = access?.indices ?? [];
  if (access === undefined || index === undefined) return undefined;
  const terms = operands(index, "+");
  const [own, ...others] = terms.filter((term) => usesOf(term, thread).length > 0);
  if (own === undefined || others.length > 0) return undefined;
  const factors = operands(own, "*");
  const isThread = (node: SyntaxNode): boolean => compact(withoutCast(node)) === thread;
  const sizes = factors.filter((factor) => !isThread(factor));
  if (sizes.length !== factors.length - 1 || sizes.some((each) => usesOf(each, thread).length > 0))
    return undefined;
  const rest = terms.filter(({ id }) => id !== own.id).map(({ text }) => text);
  const size = sizes.map(compact).join("*") || "1";
  const wide = factors.some((factor) => withoutCast(factor).id !== unwrapped(factor).id);
  const isFree = !/\b(?:threadIdx|blockIdx)\b/.test([...rest, size].join(" "));
  return isFree ? { node: access.node, index, rest: rest.join(" + "), size, wide } : undefined;
}

function withoutCast(node: SyntaxNode): SyntaxNode {
  const inner = unwrapped(node);
  const value = inner.type === "cast_expression" ? inner.childForFieldName("value") : null;
  const [only, ...more] =
    inner.type === "call_expression" ? partsOf(inner.childForFieldName("arguments")) : [];
  if (only !== undefined && more.length === 0 && /^static_cast</.test(fieldText(inner, "function")))
    return unwrapped(only);
  return value === null ? inner : unwrapped(value);
}

/** The parameter that a thread's number stays below wherever it touches the buffer: `if (i >= n) return;`. */
function guardOf({ body, kernel }: KernelView, thread: string, places: readonly Place[]): string | undefined {
  for (const statement of partsOf(body)) {
    const condition = statement.childForFieldName("condition")?.childForFieldName("value");
    if (statement.type !== "if_statement" || !condition) continue;
    const inner = statement.childForFieldName("consequence");
    const leaves = statementsOf(inner).map(compact).join("") === "return;";
    const compared = comparisonOf(condition, thread);
    const bound = compared && compact(compared.bound);
    const isBelow = compared?.comparison === (leaves ? ">=" : "<");
    const covers = places.every(({ node }) =>
      leaves ? node.startIndex > statement.endIndex : inner !== null && isInside(node, inner),
    );
    const isGiven = kernel.facts.parameters.some(({ name, pointer }) => name === bound && !pointer);
    if (isBelow && covers && isGiven) return bound;
  }
  return undefined;
}

function sectorsOf(
  input: RuleInput,
  { places }: Scratch,
): { readonly value: number; readonly ideal: number } {
  const statements = places.map(({ node }) => enclosing(node, "expression_statement", "declaration") ?? node);
  const apart = [...new Map(statements.map((node) => [lineOf(node), node])).values()];
  const counts = apart.map((node) => countsOf(input, node));
  return {
    value: counts.reduce((sum, each) => sum + each.globalLoadSectors + each.globalStoreSectors, 0),
    ideal: counts.reduce((sum, each) => sum + each.globalLoadSectorsIdeal + each.globalStoreSectorsIdeal, 0),
  };
}

const managing = /^(?:::)?cuda(?:Malloc|Free|MallocAsync|FreeAsync|Memset|MemsetAsync)$/;

/** Why somebody else may look into the buffer; undefined for one that the launching function owns. */
function seenElsewhere(view: KernelView, name: string): RuleHold | undefined {
  const [launch, ...more] = view.launches;
  const { host } = launch ?? {};
  if (launch === undefined || host === undefined || more.length > 0)
    return not("launch", "the kernel is not launched once, by a function of the file", view.line);
  const position = view.kernel.facts.parameters.findIndex((each) => each.name === name);
  const given = partsOf(launch.call.childForFieldName("arguments"))[position];
  if (given?.type !== "identifier")
    return not("fixed-elsewhere", `${name} is a part of what the host has`, launch.call);
  const declared = host
    .descendantsOfType("declaration")
    .some((node) =>
      node.descendantsOfType("pointer_declarator").some((each) => usesOf(each, given.text).length > 0),
    );
  if (!declared) return not("fixed-elsewhere", `${given.text} is handed to the host function`, given);
  const other = usesOf(host, given.text).find((use) => {
    if (use.id === given.id || isDeclared(use)) return false;
    const call = enclosing(use, "call_expression");
    return call === undefined || !managing.test(fieldText(call, "function"));
  });
  return other && not("fixed-elsewhere", `${given.text} is used otherwise than by the kernel`, other);
}

/** True for a name where a declaration declares it. */
function isDeclared(use: SyntaxNode): boolean {
  const declarator = enclosing(use, "init_declarator")?.childForFieldName("declarator");
  const inValue = declarator !== undefined && declarator !== null && !isInside(use, declarator);
  return !inValue && enclosing(use, "pointer_declarator") !== undefined;
}
