import { mustGet } from "../../../../base/known";
import { isInside, lineOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, issuedIn, shareSaved } from "../../evidence";
import { not, type RuleHold, type RuleInput, type RuleProposal } from "../../rule";
import { type RuleEntry, threshold } from "../../rule-table";
import type { KernelView } from "../kernel";
import type { ElementUse, ElementWork } from "./element-work";
import { componentOf, packDeclaration } from "./vector-types";

const countWords: Readonly<Record<number, string>> = { 2: "two", 4: "four", 8: "eight", 16: "sixteen" };

/** The number of elements of an access, in words. */
function countWord(lanes: number): string {
  return countWords[lanes] ?? String(lanes);
}

/**
 * The work as a path of vector accesses, with the scalar path behind it for the tail and for arrays that are
 * not aligned.
 */
export function vectorPath(view: KernelView, work: ElementWork): TextEdit {
  const { index, end, lanes, region } = work;
  const keys = [...work.streams.keys()];
  const outputs = keys.filter((key) => isStored(work, key));
  const ordered = [...keys.filter((key) => !outputs.includes(key)), ...outputs];
  const bases = ordered.map((key) => `reinterpret_cast<size_t>(${baseOf(work, key)})`);
  const addresses = bases.length === 1 ? bases.join() : `(${bases.join(" | ")})`;
  const vectors = [...work.vectors.values()];
  const packs = vectors.flatMap((vector) => packDeclaration(vector) ?? []);
  const bytes = Math.max(...vectors.map((vector) => vector.bytes));
  const isAligned =
    packs.length === 0
      ? `${addresses} % ${bytes} == 0`
      : ordered.map((key) => alignment(work, key)).join(" && ");
  const indent = indentOf(view.source, region.first);
  const inner = (depth: number, lines: readonly string[]): readonly string[] =>
    lines.map((line) => `${indent}${"  ".repeat(depth)}${line}`);
  const lane = freshName(view.source, "lane");
  const last = lanes === 1 ? index : `${index} + ${lanes - 1}`;
  const lines = [
    `if (${last} < ${end} && ${isAligned}) {`,
    ...inner(1, wideLines(view, work)),
    ...inner(0, ["} else {"]),
    ...inner(1, [`for (int ${lane} = 0; ${lane} < ${lanes} && ${index} + ${lane} < ${end}; ++${lane}) {`]),
    ...inner(2, scalarLines(view, work, lane)),
    ...inner(1, ["}"]),
    ...inner(0, ["}"]),
  ];
  return { start: region.start, end: region.end, text: withPacks(packs, lines, indent).join("\n") };
}

/** What has to be aligned: of a plain array its start, as the indices of an access are whole vectors. */
function baseOf({ streams }: ElementWork, key: string): string {
  const { isPlain, array, address } = mustGet(streams, key);
  return isPlain ? array : address;
}

/** The path in a block of its own with the structures that it uses. */
function withPacks(packs: readonly string[], lines: readonly string[], indent: string): readonly string[] {
  const [first = "", ...others] = lines;
  if (packs.length === 0) return lines;
  const declared = [...packs, first].map((line) => `${indent}  ${line}`);
  return ["{", ...declared, ...others.map((line) => `  ${line}`), `${indent}}`];
}

function alignment(work: ElementWork, key: string): string {
  return `reinterpret_cast<size_t>(${baseOf(work, key)}) % alignof(${mustGet(work.vectors, key).vector}) == 0`;
}

function isStored(work: ElementWork, key: string): boolean {
  return work.uses.some((use) => use.stream === key && use.store !== undefined);
}

/** The loads, the statements once for each element, and the stores. */
function wideLines(view: KernelView, work: ElementWork): readonly string[] {
  const { uses, vectors, streams, index, lanes, statements } = work;
  const names = vectorNames(view, work);
  const vector = (key: string): string => mustGet(vectors, key).vector;
  const address = (key: string): string => mustGet(streams, key).address;
  const from = (key: string): string => `*reinterpret_cast<const ${vector(key)}*>(${address(key)})`;
  const nameOf = (use: ElementUse): string => {
    const { loaded, stored } = names.get(use.stream) ?? {};
    return (use.store === undefined ? (loaded ?? stored) : stored) ?? use.array;
  };
  const bodyOf = (lane: number | string): readonly string[] => {
    const edits = uses.flatMap((use) => {
      const type = mustGet(vectors, use.stream);
      const place = placeOf(lane, mustGet(streams, use.stream).each, use.offset);
      return [replaceNode(use.node, componentOf(type, nameOf(use), place))];
    });
    if (lane !== 0)
      edits.push(...besides(work, uses).map((node) => replaceNode(node, `(${index} + ${lane})`)));
    const texts = statements.map((node) =>
      editedText(
        view.source,
        { start: node.startIndex, end: node.endIndex },
        edits.filter((edit) => edit.start >= node.startIndex && edit.end <= node.endIndex),
      ),
    );
    return texts.length === 1 ? texts : ["{", ...texts.flatMap(indented), "}"];
  };
  const bodies = lanes > longest ? loopOver(view, lanes, bodyOf) : repeated(lanes, bodyOf);
  const stores = [...names].flatMap(([key, { stored }]) =>
    stored === undefined ? [] : [`*reinterpret_cast<${vector(key)}*>(${address(key)}) = ${stored};`],
  );
  const declared = [...names].flatMap(([key, { loaded, stored, keeps }]) => [
    ...(loaded === undefined ? [] : [`${constantOf(work, key)}${vector(key)} ${loaded} = ${from(key)};`]),
    ...(stored === undefined ? [] : [`${vector(key)} ${stored}${keeps ? ` = ${from(key)}` : ""};`]),
  ]);
  return [...declared, ...bodies, ...stores];
}

/** So many elements are written out one by one at most. */
const longest = 8;

type Body = (lane: number | string) => readonly string[];

function repeated(lanes: number, body: Body): readonly string[] {
  return Array.from({ length: lanes }, (_, lane) => body(lane)).flat();
}

/** A loop that the compiler unrolls, so that what it picks from stays in registers. */
function loopOver(view: KernelView, lanes: number, body: Body): readonly string[] {
  const lane = freshName(view.source, "lane");
  const lines = body(lane);
  const head = `for (int ${lane} = 0; ${lane} < ${lanes}; ++${lane}) {`;
  return [
    "#pragma unroll",
    head,
    ...(lines.length === 1 ? lines.flatMap(indented) : lines.slice(1, -1)),
    "}",
  ];
}

/** An element's place in the vector of its stream. */
function placeOf(lane: number | string, each: number, offset: number): number | string {
  if (typeof lane === "number") return lane * each + offset;
  const start = each === 1 ? lane : `${each} * ${lane}`;
  return offset === 0 ? start : `${start} + ${offset}`;
}

/** A packed vector is read through a pointer to its elements, so it may not be const. */
function constantOf(work: ElementWork, key: string): string {
  return work.vectors.get(key)?.packed === undefined ? "const " : "";
}

interface VectorNames {
  /** Holds what was loaded; undefined when nothing is, or when `stored` begins with it. */
  readonly loaded: string | undefined;
  readonly stored: string | undefined;
  /** True when `stored` begins with what the array holds. */
  readonly keeps: boolean;
}

/** Loaded streams first, each in the order of its first use. */
function vectorNames(view: KernelView, work: ElementWork): ReadonlyMap<string, VectorNames> {
  const seen: string[] = [];
  const named = [...new Set(work.uses.map(({ stream }) => stream))].map((key) => {
    const { array, each } = mustGet(work.streams, key);
    const again = seen.filter((other) => other === array).length;
    seen.push(array);
    const fresh = (end: string): string =>
      freshName(view.source, `${array}${end}${again === 0 ? "" : again + 1}`);
    const word = countWord(mustGet(work.vectors, key).lanes);
    const uses = work.uses.filter((use) => use.stream === key);
    const reads = uses.filter(({ store }) => store === undefined || !isPlain(store));
    const stores = uses.flatMap(({ store }) => store ?? []);
    const before = reads.every(({ node, store }) => store === undefined && precedes(node.startIndex, stores));
    const stored = stores.length === 0 ? undefined : fresh("Next");
    const certain = new Set(
      uses.flatMap(({ store, offset }) =>
        store !== undefined && isPlain(store) && isUnconditional(work, store) ? [offset] : [],
      ),
    );
    const keeps = stored !== undefined && !(before && certain.size === each);
    const loaded =
      reads.length === 0 || keeps ? undefined : fresh(word.charAt(0).toUpperCase() + word.slice(1));
    return [key, { loaded, stored, keeps }] as const;
  });
  const isOutput = ([, { stored }]: (typeof named)[number]): number => (stored === undefined ? 0 : 1);
  return new Map(named.sort((a, b) => isOutput(a) - isOutput(b)));
}

function isPlain(store: ElementUse["store"]): boolean {
  return store?.childForFieldName("operator")?.text === "=" && store.type === "assignment_expression";
}

/** True when the read stands in or before the first statement that stores. */
function precedes(at: number, stores: readonly NonNullable<ElementUse["store"]>[]): boolean {
  return stores.every((store) => at < store.endIndex);
}

function isUnconditional(work: ElementWork, store: NonNullable<ElementUse["store"]>): boolean {
  return work.statements.some((statement) => statement.id === store.parent?.id);
}

function scalarLines(view: KernelView, work: ElementWork, lane: string): readonly string[] {
  const plain = work.uses.filter(({ stream }) => mustGet(work.streams, stream).isPlain);
  const edits = [
    ...plain.map(({ index }) => replaceNode(index, `${work.index} + ${lane}`)),
    ...besides(work, plain).map((node) => replaceNode(node, `(${work.index} + ${lane})`)),
  ];
  return work.statements.flatMap((node) =>
    indented(
      editedText(
        view.source,
        { start: node.startIndex, end: node.endIndex },
        edits.filter((edit) => edit.start >= node.startIndex && edit.end <= node.endIndex),
      ),
    ).map((line) => line.slice(2)),
  );
}

/** Where the index stands for more than one of these elements. */
function besides({ statements, index }: ElementWork, uses: readonly ElementUse[]): readonly SyntaxNode[] {
  return statements
    .flatMap((statement) => usesOf(statement, index))
    .filter((use) => !uses.some(({ node }) => isInside(use, node)));
}

/** Lines of a statement, each one step further in; those behind the first keep their own indentation. */
function indented(text: string): readonly string[] {
  return text.split("\n").map((line) => `  ${line}`);
}

type Counted =
  | "globalLoadRequests"
  | "globalStoreRequests"
  | "globalLoadSectors"
  | "globalStoreSectors"
  | "globalBytesRequested"
  | "instructions";

/**
 * Evidence and gain of making the accesses of a place wide; a guard's answer when nothing is counted there,
 * or they are wide already.
 */
export function narrowAccess(
  input: RuleInput,
  entry: RuleEntry,
  work: ElementWork,
): Pick<RuleProposal, "evidence" | "gain"> | RuleHold {
  const counted = work.statements.map((node) => ({ node, counts: countsOf(input, node) }));
  const total = (name: Counted): number => counted.reduce((sum, { counts }) => sum + counts[name], 0);
  const requests = total("globalLoadRequests") + total("globalStoreRequests");
  const bytes = total("globalBytesRequested") / Math.max(1, requests);
  const wide = 32 * Math.max(...[...work.vectors.values()].map((vector) => vector.bytes));
  if (requests === 0) return not("no-evidence", "no global access was counted there", work.region.first);
  const each = Math.max(...[...work.streams.values()].map((stream) => stream.each));
  const together = work.lanes * each;
  if (bytes * together > wide)
    return not("no-evidence", `an access moves ${Math.round(bytes)} bytes already`, work.region.first);
  const loads = total("globalLoadRequests") > 0;
  const counter = loads ? ("globalLoadRequests" as const) : ("globalStoreRequests" as const);
  const [worst] = [...counted].sort((a, b) => b.counts[counter] - a.counts[counter]);
  const value = total(counter);
  const facts = {
    file: input.file,
    line: lineOf(worst?.node ?? work.region.first),
    counter,
    value,
    ideal: Math.ceil(value / together),
  };
  // What is done for each element stays; the accesses and the arithmetic of their addresses get fewer.
  const moving = Math.min(total("instructions"), threshold(entry, "each") * requests);
  const saved = shareSaved((moving * (together - 1)) / together, issuedIn(input.counters.totals));
  return {
    evidence: evidenceFor(entry, facts, { bytes, wide: String(wide), what: loads ? "load" : "store" }),
    gain: Math.max(gainOn(input, ["issue"], saved), each > 1 ? sectorGain(input, total) : 0),
  };
}

/** What is lost where each access of a warp touches all sectors of elements that lie next to each other. */
function sectorGain(input: RuleInput, total: (name: Counted) => number): number {
  const sectors = total("globalLoadSectors") + total("globalStoreSectors");
  const ideal = Math.ceil(total("globalBytesRequested") / 32);
  return gainOn(input, ["dram", "l2", "l1", "latency"], shareSaved(sectors - ideal, sectors));
}

/** Blanks of a hypothesis about the work. */
export function workBlanks(work: ElementWork): Readonly<Record<string, string>> {
  const vectors = new Set([...work.vectors.values()].map(({ vector }) => vector));
  const most = Math.max(...[...work.vectors.values()].map(({ lanes }) => lanes));
  return { vector: [...vectors].join(" or "), count: countWord(most) };
}
