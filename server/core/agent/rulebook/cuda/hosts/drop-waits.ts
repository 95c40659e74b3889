import { enclosing, isInside, lineOf, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { hostCosts } from "../../../../timing/host/host-calls";
import { loopTypes } from "../../diagnosis/places";
import { editedTree, indentOf, type TextEdit } from "../../edits";
import { evidenceFor } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { removal } from "../launch/fusing/leftovers";
import {
  hostGain,
  inHosts,
  launchesIn,
  orderMatters,
  runtimeCalls,
  type RuntimeCall,
  runtimeStatements,
  streamOf,
  waitingCall,
} from "./host-code";

/** Waits of one function that order nothing, and the edits that take them away. */
interface NeedlessWaits {
  readonly waits: readonly [RuntimeCall, ...RuntimeCall[]];
  readonly edits: readonly TextEdit[];
}

/**
 * Launches on one stream follow each other without the host: a wait between two of them goes, and one at the
 * end of each turn of a loop is made once behind the loop.
 */
export const dropWaits = defineRule("cuda-drop-waits", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const found = inHosts(view, (host) => needlessWaits(view, host));
  if (isNot(found)) return found;
  const [first] = found[0].waits;
  const saved = found.flatMap(({ waits }) => waits).length;
  const facts = { file: input.file, line: lineOf(first.call), counter: "hostCalls" as const };
  return {
    kind: "proposal",
    tree: editedTree(
      input,
      found.flatMap(({ edits }) => edits),
    ),
    hypothesis: entry.hypothesis,
    evidence: evidenceFor(entry, { ...facts, value: saved, ideal: 0 }, { call: first.name }),
    gain: hostGain(input, saved * hostCosts.waitNanoseconds),
  };
});

function needlessWaits(view: KernelView, host: SyntaxNode): NeedlessWaits | RuleHold {
  const waits = runtimeStatements(host, waitingCall);
  const found = waits.flatMap((wait) => {
    const edits = withoutWait(view.source, host, wait);
    return edits === undefined ? [] : [{ wait, edits }];
  });
  const [first, ...others] = found.map(({ wait }) => wait);
  if (first === undefined) return not("no-pattern", "the host waits between no two launches", host);
  const stream = streamOf(host);
  if (isNot(stream)) return stream;
  const held = orderMatters(view, host) ?? readsBetween(host, stream);
  return held ?? { waits: [first, ...others], edits: found.flatMap(({ edits }) => edits) };
}

/** On a stream of the program's own, copies of the default stream may need the wait. */
function readsBetween(host: SyntaxNode, stream: string): RuleHold | undefined {
  if (stream === "0") return undefined;
  const copy = runtimeCalls(host).find(({ name }) => /^cudaMem(?:cpy|set)\w*(?<!Async)$/.test(name));
  return copy && not("dependence", `${copy.name} may not wait for the stream ${stream}`, copy.call);
}

/** The edits that take a wait away; undefined where it has to stay. */
function withoutWait(
  source: string,
  host: SyntaxNode,
  { statement }: RuntimeCall,
): readonly TextEdit[] | undefined {
  const block = statement.parent;
  if (block?.type !== "compound_statement") return undefined;
  const statements = partsOf(block);
  const place = statements.findIndex(({ id }) => id === statement.id);
  const behind = statements.slice(place + 1);
  const before = statements.slice(0, place);
  if (!before.some(launchesIn)) return undefined;
  const next = behind.find(asksGpu);
  // What waits itself makes the wait before it free.
  if (next !== undefined) return launchesIn(next) ? [removal(source, statement)] : undefined;
  const [first] = statements.filter(asksGpu);
  if (first === undefined || !launchesIn(first)) return undefined;
  return behindLoop(source, host, statement);
}

/** The edits that make a wait at the end of each turn of a loop one behind the loop. */
function behindLoop(
  source: string,
  host: SyntaxNode,
  statement: SyntaxNode,
): readonly TextEdit[] | undefined {
  const loop = enclosing(statement, ...loopTypes);
  const isOfLoop = loop !== undefined && isInside(loop, host) && statement.parent?.parent?.id === loop.id;
  if (!isOfLoop || loop.parent?.type !== "compound_statement" || leaves(loop)) return undefined;
  const rest = partsOf(loop.parent).filter(({ startIndex }) => startIndex >= loop.endIndex);
  if (rest.some((each) => waits(each))) return [removal(source, statement)];
  const wait = `\n${indentOf(source, loop)}${statement.text}`;
  return [removal(source, statement), { start: loop.endIndex, end: loop.endIndex, text: wait }];
}

/** Whether a statement waits whatever happens: a wait, or a copy or a free that waits itself. */
function waits(statement: SyntaxNode): boolean {
  return runtimeStatements(statement, /^cuda(?:(?:Device|Stream|Thread)Synchronize|Memcpy|Free)$/).some(
    (each) => each.statement.id === statement.id,
  );
}

function asksGpu(statement: SyntaxNode): boolean {
  return launchesIn(statement) || runtimeCalls(statement).some(({ name }) => !/Error/.test(name));
}

function leaves(loop: SyntaxNode): boolean {
  return loop.descendantsOfType(["return_statement", "goto_statement", "continue_statement"]).length > 0;
}
