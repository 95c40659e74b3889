import { isInside, lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved, wasteOf } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import {
  isCallOf,
  languageCalls,
  launchConstant,
  positional,
  statementOf,
  tritonKernel,
  type TritonView,
} from "../kernel";
import { type Dependences, dependencesOf, reducing } from "./dependence";
import { libraryOf, maskedBy } from "./dimension";
import { elementLoop, type ElementLoop } from "./element-loops";
import { decidedBy, keepsDimensions } from "./guards";

/** A loop in which each lane of a program walks a run of its own, one element in each turn. */
interface Walk {
  readonly loop: ElementLoop;
  /** The load in it that moves most sectors for nothing. */
  readonly at: SyntaxNode;
  readonly value: number;
  readonly ideal: number;
}

/**
 * Lanes that each walk a run of their own (`rows * n + k` in a loop over `k`) load a tile of several turns at
 * once, so that what neighbouring threads load lies side by side.
 */
export const turnsAtOnce = defineRule("triton-turns-at-once", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const kept = keepsDimensions(view);
  if (kept !== undefined) return kept;
  const loops = innermost(view);
  const of = dependences(view, loops);
  const walks = loops.flatMap((loop) => walkIn(input, { view, of }, loop) ?? []);
  const [worst] = [...walks].sort((a, b) => b.value - b.ideal - (a.value - a.ideal));
  if (worst === undefined)
    return not("no-pattern", "no loop of single turns lets each lane walk a run of its own", view.line);
  const { at } = worst;
  const [value, ideal] = (["value", "ideal"] as const).map((name) =>
    walks.reduce((sum, walk) => sum + walk[name], 0),
  ) as [number, number];
  if (wasteOf(value, ideal) < threshold(entry, "ratio"))
    return not("no-evidence", "the lanes load elements side by side", at);
  const { totals } = input.counters;
  const moved = totals.globalLoadSectors + totals.globalStoreSectors;
  const gain = gainOn(input, ["dram", "l2", "l1", "latency", "issue"], shareSaved(value - ideal, moved));
  const facts = { file: input.file, line: lineOf(at), counter: "globalLoadSectors" as const };
  const evidence = evidenceFor(entry, { ...facts, value, ideal });
  const lengths = lengthsOf(view, entry, walks);
  if (lengths.length === 0)
    return { ...not("limit", "a tile of so many lanes is too large for registers", at), gain };
  return lengths.map((length): RuleAnswer => {
    const edits = tileEdits({ view, of, length }, walks);
    if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
    const hypothesis = fillSentence(entry.hypothesis, { turns: length });
    return { kind: "proposal", tree: editedTree(input, edits), hypothesis, evidence, gain };
  });
});

/** The loops over single elements that have no loop inside. */
function innermost(view: TritonView): readonly ElementLoop[] {
  return view.body.descendantsOfType("for_statement").flatMap((loop) => {
    const found = elementLoop(view, loop);
    return isNot(found) || found.shifted.length > 0 ? [] : [found];
  });
}

/** `programs` stands for the turns of such loops here. */
function dependences(view: TritonView, loops: readonly ElementLoop[]): Dependences {
  const variables = new Set(loops.map(({ variable }) => variable));
  const sums = new Set(loops.flatMap((loop) => loop.sums.map(({ name }) => name)));
  return dependencesOf(view, (node) => {
    if (isCallOf(view, node, "arange")) return { programs: false, lanes: true };
    if (node.type !== "identifier") return undefined;
    if (variables.has(node.text)) return { programs: true, lanes: false };
    return sums.has(node.text) ? { programs: false, lanes: true } : undefined;
  });
}

interface Read {
  readonly view: TritonView;
  readonly of: Dependences;
}

function walkIn(input: RuleInput, { view, of }: Read, loop: ElementLoop): Walk | undefined {
  const loads = languageCalls(view, ["load"], loop.body).flatMap((at) => {
    const [address] = positional(at);
    const along = address && of(address);
    if (!along?.programs || !along.lanes) return [];
    const counts = countsOf(input, statementOf(at));
    return [{ loop, at, value: counts.globalLoadSectors, ideal: counts.globalLoadSectorsIdeal }];
  });
  return loads.sort((a, b) => b.value - b.ideal - (a.value - a.ideal))[0];
}

/** How many turns are tried at once: no more than a loop has, and a tile of them fits into registers. */
function lengthsOf(view: TritonView, entry: RuleEntry, walks: readonly Walk[]): readonly number[] {
  const lanes = Math.max(
    1,
    ...languageCalls(view, ["arange"]).map((call) => numberOf(view, positional(call)[1]) ?? 1),
  );
  const turns = Math.max(...walks.map(({ loop }) => numberOf(view, loop.end) ?? Number.POSITIVE_INFINITY));
  const [few, many] = [threshold(entry, "few"), threshold(entry, "many")];
  const lengths = [many, few].filter((each) => each === few || each < 2 * turns);
  return lengths.filter((each) => each * lanes <= threshold(entry, "elements"));
}

/** A number of the kernel or of its launch. */
function numberOf(view: TritonView, node: SyntaxNode | undefined): number | undefined {
  if (node === undefined) return undefined;
  return node.type === "integer" ? Number(node.text) : launchConstant(view, node.text)?.value;
}

interface Tile extends Read {
  /** How many turns it takes at once. */
  readonly length: number;
}

function tileEdits(tile: Tile, walks: readonly Walk[]): readonly TextEdit[] | RuleHold {
  const { view, of } = tile;
  const heads = walks.map(({ loop }) => loop.loop);
  const decided = decidedBy(view, of, { along: "programs", except: heads });
  if (decided !== undefined) return decided;
  const edits: TextEdit[] = [];
  for (const { loop } of walks) {
    const own = loopEdits(tile, loop);
    if (isNot(own)) return own;
    edits.push(...own);
  }
  return edits;
}

function loopEdits(tile: Tile, loop: ElementLoop): readonly TextEdit[] | RuleHold {
  const { view, of, length } = tile;
  const { body, variable, start, end } = loop;
  const library = libraryOf(view);
  const [reduction] = languageCalls(view, reducing, body);
  if (reduction !== undefined) return not("no-rewrite", "the lanes are summed up in each turn", reduction);
  const scalar = loop.sums.find(({ value }) => !of(value).lanes || !of(value).programs);
  if (scalar !== undefined)
    return not("no-rewrite", `${scalar.name} is not made of what each lane loads in turn`, scalar.value);
  const live = freshName(view.source, "there");
  const accesses = accessEdits(tile, loop, live);
  if (isNot(accesses)) return accesses;
  const [first] = partsOf(body);
  const range = loop.loop.childForFieldName("right");
  const left = loop.loop.childForFieldName("left");
  const given = range?.childForFieldName("arguments");
  if (first === undefined || !left || !given) return not("unreadable", "the loop has no body", loop.loop);
  const from = freshName(view.source, "first");
  const indent = `\n${indentOf(view.source, first)}`;
  const places = `${variable} = (${from} + ${library}arange(0, ${length}))[None, :]`;
  return [
    replaceNode(left, from),
    replaceNode(given, `(${start}, ${end.text}, ${length})`),
    {
      start: first.startIndex,
      end: first.startIndex,
      text: `${places}${indent}${live} = ${variable} < ${end.text}${indent}`,
    },
    // First, so that they stand right behind the names where others end there, too.
    ...laneEdits(tile, loop),
    ...accesses,
    ...loop.sums.flatMap((sum) => sumEdits(library, live, sum)),
  ];
}

/** Accesses that differ from turn to turn are masked by the end of the loop. */
function accessEdits(
  { view, of }: Tile,
  { body }: ElementLoop,
  live: string,
): readonly TextEdit[] | RuleHold {
  const edits: TextEdit[] = [];
  for (const call of body.descendantsOfType("call")) {
    const loads = isCallOf(view, call, "load");
    const callee = call.childForFieldName("function")?.text ?? "";
    const stores = isCallOf(view, call, "store") || /\.atomic_\w+$/.test(callee);
    const [address] = loads || stores ? positional(call) : [];
    if (address === undefined) continue;
    const { programs, lanes } = of(address);
    if (stores && !(programs && lanes))
      return not("dependence", "all turns of the loop store to the same place", call);
    if (programs) edits.push(...maskedBy(view, call, live));
  }
  return edits;
}

/** Values of each lane that are made outside of the loop become columns in it. */
function laneEdits({ view, of }: Tile, { loop, body, sums }: ElementLoop): readonly TextEdit[] {
  const carried = new Set(sums.map(({ name }) => name));
  const given = new Set(
    body
      .descendantsOfType(["assignment", "augmented_assignment"])
      .map((act) => act.childForFieldName("left")?.text),
  );
  const names = body.descendantsOfType("identifier").filter((node) => {
    const { text, parent } = node;
    if (carried.has(text) || given.has(text) || of(node).programs || !of(node).lanes) return false;
    const isLabel = parent?.type === "keyword_argument" && parent.childForFieldName("name")?.id === node.id;
    return !isLabel && usesOf(view.body, text).some((use) => !isInside(use, loop));
  });
  const blocks = languageCalls(view, ["arange", "zeros", "full"], body).filter((call) => of(call).lanes);
  return [...names, ...blocks].map(({ endIndex }) => ({ start: endIndex, end: endIndex, text: "[:, None]" }));
}

const neutral = { sum: "0", max: 'float("-inf")', min: 'float("inf")' } as const;

/** `s += x` → `s += tl.sum(tl.where(there, x, 0), axis=1)`. */
function sumEdits(
  library: string,
  live: string,
  { value, reduction }: ElementLoop["sums"][number],
): readonly TextEdit[] {
  const { startIndex: start, endIndex: end } = value;
  return [
    { start, end: start, text: `${library}${reduction}(${library}where(${live}, ` },
    { start: end, end, text: `, ${neutral[reduction]}), axis=1)` },
  ];
}
