import { compact, isInside, lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { hostCosts } from "../../../../timing/host/host-calls";
import { isMeasuring } from "../../diagnosis/hosts/host-loops";
import { loopTypes } from "../../diagnosis/places";
import { editedTree, indentOf, type TextEdit } from "../../edits";
import { evidenceFor } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import {
  hostGain,
  inHosts,
  orderMatters,
  type RuntimeCall,
  runtimeStatements,
  streamOf,
  waitingCall,
} from "./host-code";

/** Memory that a function takes and gives back in the same block of statements. */
interface Scratch {
  readonly taken: RuntimeCall;
  readonly given: RuntimeCall;
}

/**
 * Scratch memory of a function, or of each turn of a loop, comes from the pool of the stream: cudaMalloc maps
 * pages, and cudaFree waits for the whole GPU. Where nothing else does, one wait stays in place of theirs.
 */
export const poolScratch = defineRule("cuda-pool-scratch", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const changed = inHosts(view, (host) => editsOf(view, host));
  if (isNot(changed)) return changed;
  const [first] = changed[0].scratch;
  const count = changed.flatMap(({ scratch }) => scratch).length;
  const facts = { file: input.file, line: lineOf(first.taken.call), counter: "hostCalls" as const };
  return {
    kind: "proposal",
    tree: editedTree(
      input,
      changed.flatMap(({ edits }) => edits),
    ),
    hypothesis: entry.hypothesis,
    evidence: evidenceFor(entry, { ...facts, value: count, ideal: 0 }),
    gain: hostGain(input, count * (hostCosts.allocateNanoseconds - hostCosts.pooledNanoseconds)),
  };
});

function editsOf(
  view: KernelView,
  host: SyntaxNode,
): { readonly scratch: readonly [Scratch, ...Scratch[]]; readonly edits: readonly TextEdit[] } | RuleHold {
  const scratch = runtimeStatements(host, /^cudaMalloc$/).flatMap((taken) => {
    const given = freeOf(host, taken);
    return given === undefined ? [] : [{ taken, given }];
  });
  const [first, ...others] = scratch;
  if (first === undefined)
    return not("no-pattern", "no memory is taken and given back in one block of host code", host);
  const stream = streamOf(host);
  if (isNot(stream)) return stream;
  if (stream !== "0")
    return not("dependence", `memory of the pool would be ordered by the stream ${stream} alone`, host);
  const held = orderMatters(view, host);
  if (held !== undefined) return held;
  const edits = scratch.flatMap(({ taken, given }) => [
    ...pooled(taken, "cudaMallocAsync"),
    ...pooled(given, "cudaFreeAsync"),
  ]);
  return { scratch: [first, ...others], edits: [...edits, ...keptWaits(view.source, scratch)] };
}

/** The call that gives the memory back in the block where it was taken, if that is done more than once. */
function freeOf(host: SyntaxNode, { statement, given: [target] }: RuntimeCall): RuntimeCall | undefined {
  const name = /^(?:\((?:void\*\*)\))?&(\w+)$/.exec(compact(target))?.[1];
  const block = statement.parent;
  const isOnce = isMeasuring(host) && !loopTypes.some((type) => block?.parent?.type === type);
  if (name === undefined || block?.type !== "compound_statement" || isOnce) return undefined;
  const free = runtimeStatements(block, /^cudaFree$/).find(
    (each) => each.statement.parent?.id === block.id && compact(each.given[0]) === name,
  );
  if (free === undefined || free.statement.startIndex < statement.endIndex) return undefined;
  // Whatever leaves the block between the two, or behind them uses the memory, sees no difference.
  const isLate = usesOf(block, name).some(
    (use) => use.startIndex > free.statement.endIndex && isInside(use, block),
  );
  return isLate ? undefined : free;
}

/** The call under its other name, with the default stream as its last argument. */
function pooled({ call, given }: RuntimeCall, name: string): readonly TextEdit[] {
  const called = call.childForFieldName("function");
  const last = given.at(-1);
  if (called === null || last === undefined) return [];
  return [
    { start: called.startIndex, end: called.endIndex, text: name },
    { start: last.endIndex, end: last.endIndex, text: ", 0" },
  ];
}

/** cudaFree waits: behind the last of a block comes a wait, unless one stands right before them or behind. */
function keptWaits(source: string, scratch: readonly Scratch[]): readonly TextEdit[] {
  const blocks = new Map(scratch.map(({ given }) => [given.statement.parent?.id, given.statement]));
  const frees = new Set(scratch.map(({ given }) => given.statement.id));
  return [...blocks.values()].flatMap((last) => {
    const statements = partsOf(last.parent);
    const place = statements.findIndex(({ id }) => id === last.id);
    const before = statements.slice(0, place).findLast(({ id }) => !frees.has(id));
    const near = [before, statements[place + 1]].flatMap((each) => each ?? []);
    if (near.some((each) => runtimeStatements(each, waitingCall).length > 0)) return [];
    const wait = `\n${indentOf(source, last)}cudaDeviceSynchronize();`;
    return [{ start: last.endIndex, end: last.endIndex, text: wait }];
  });
}
