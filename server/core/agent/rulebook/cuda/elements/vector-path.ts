import { mustGet } from "../../../../base/known";
import { isInside, lineOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { not, type RuleHold, type RuleInput, type RuleProposal } from "../../rule";
import type { RuleEntry } from "../../rule-table";
import type { KernelView } from "../kernel";
import type { ElementUse, ElementWork } from "./element-work";
import { componentOf, packDeclaration } from "./vector-types";

const countWords: Readonly<Record<number, string>> = { 2: "two", 4: "four", 8: "eight" };

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
  const arrays = [...new Set(work.uses.map(({ array }) => array))];
  const outputs = arrays.filter((array) => isStored(work, array));
  const ordered = [...arrays.filter((array) => !outputs.includes(array)), ...outputs];
  const bases = ordered.map((array) => `reinterpret_cast<size_t>(${array})`);
  const addresses = bases.length === 1 ? bases.join() : `(${bases.join(" | ")})`;
  const vectors = [...work.vectors.values()];
  const packs = vectors.flatMap((vector) => packDeclaration(vector) ?? []);
  const bytes = Math.max(...vectors.map((vector) => vector.bytes));
  const isAligned =
    packs.length === 0
      ? `${addresses} % ${bytes} == 0`
      : ordered.map((array) => alignment(work, array)).join(" && ");
  const indent = indentOf(view.source, region.first);
  const inner = (depth: number, lines: readonly string[]): readonly string[] =>
    lines.map((line) => `${indent}${"  ".repeat(depth)}${line}`);
  const lane = freshName(view.source, "lane");
  const lines = [
    `if (${index} + ${lanes - 1} < ${end} && ${isAligned}) {`,
    ...inner(1, wideLines(view, work)),
    ...inner(0, ["} else {"]),
    ...inner(1, [`for (int ${lane} = 0; ${lane} < ${lanes} && ${index} + ${lane} < ${end}; ++${lane}) {`]),
    ...inner(2, scalarLines(view, work, lane)),
    ...inner(1, ["}"]),
    ...inner(0, ["}"]),
  ];
  return { start: region.start, end: region.end, text: withPacks(packs, lines, indent).join("\n") };
}

/** The path in a block of its own with the structures that it uses. */
function withPacks(packs: readonly string[], lines: readonly string[], indent: string): readonly string[] {
  const [first = "", ...others] = lines;
  if (packs.length === 0) return lines;
  const declared = [...packs, first].map((line) => `${indent}  ${line}`);
  return ["{", ...declared, ...others.map((line) => `  ${line}`), `${indent}}`];
}

function alignment({ vectors }: ElementWork, array: string): string {
  return `reinterpret_cast<size_t>(${array}) % alignof(${mustGet(vectors, array).vector}) == 0`;
}

function isStored(work: ElementWork, array: string): boolean {
  return work.uses.some((use) => use.array === array && use.store !== undefined);
}

/** The loads, the statements once for each element, and the stores. */
function wideLines(view: KernelView, work: ElementWork): readonly string[] {
  const { uses, vectors, index, lanes, statements } = work;
  const names = vectorNames(view, work);
  const vector = (array: string): string => mustGet(vectors, array).vector;
  const from = (array: string): string => `*reinterpret_cast<const ${vector(array)}*>(${array} + ${index})`;
  const nameOf = (use: ElementUse): string => {
    const { loaded, stored } = names.get(use.array) ?? {};
    return (use.store === undefined ? (loaded ?? stored) : stored) ?? use.array;
  };
  const bodies = Array.from({ length: lanes }, (_, lane) => {
    const edits = uses.flatMap((use) => {
      const type = vectors.get(use.array);
      return type === undefined ? [] : [replaceNode(use.node, componentOf(type, nameOf(use), lane))];
    });
    if (lane > 0) edits.push(...besides(work).map((node) => replaceNode(node, `(${index} + ${lane})`)));
    const texts = statements.map((node) =>
      editedText(
        view.source,
        { start: node.startIndex, end: node.endIndex },
        edits.filter((edit) => edit.start >= node.startIndex && edit.end <= node.endIndex),
      ),
    );
    return texts.length === 1 ? texts : ["{", ...texts.flatMap(indented), "}"];
  });
  const stores = [...names].flatMap(([array, { stored }]) =>
    stored === undefined ? [] : [`*reinterpret_cast<${vector(array)}*>(${array} + ${index}) = ${stored};`],
  );
  const declared = [...names].flatMap(([array, { loaded, stored, keeps }]) => [
    ...(loaded === undefined
      ? []
      : [`${constantOf(work, array)}${vector(array)} ${loaded} = ${from(array)};`]),
    ...(stored === undefined ? [] : [`${vector(array)} ${stored}${keeps ? ` = ${from(array)}` : ""};`]),
  ]);
  return [...declared, ...bodies.flat(), ...stores];
}

/** A packed vector is read through a pointer to its elements, so it may not be const. */
function constantOf(work: ElementWork, array: string): string {
  return work.vectors.get(array)?.packed === undefined ? "const " : "";
}

interface VectorNames {
  /** Holds what was loaded; undefined when nothing is, or when `stored` begins with it. */
  readonly loaded: string | undefined;
  readonly stored: string | undefined;
  /** True when `stored` begins with what the array holds. */
  readonly keeps: boolean;
}

/** Loaded arrays first, each in the order of its first use. */
function vectorNames(view: KernelView, work: ElementWork): ReadonlyMap<string, VectorNames> {
  const word = countWord(work.lanes);
  const suffix = word.charAt(0).toUpperCase() + word.slice(1);
  const named = [...new Set(work.uses.map(({ array }) => array))].map((array) => {
    const uses = work.uses.filter((use) => use.array === array);
    const reads = uses.filter(({ store }) => store === undefined || !isPlain(store));
    const stores = uses.flatMap(({ store }) => store ?? []);
    const before = reads.every(({ node, store }) => store === undefined && precedes(node.startIndex, stores));
    const stored = stores.length === 0 ? undefined : freshName(view.source, `${array}Next`);
    const certain = stores.some((store) => isPlain(store) && isUnconditional(work, store));
    const keeps = stored !== undefined && !(before && certain);
    const loaded = reads.length === 0 || keeps ? undefined : freshName(view.source, `${array}${suffix}`);
    return [array, { loaded, stored, keeps }] as const;
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
  const edits = [
    ...work.uses.map(({ index }) => replaceNode(index, `${work.index} + ${lane}`)),
    ...besides(work).map((node) => replaceNode(node, `(${work.index} + ${lane})`)),
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

/** Where the index stands for more than the element. */
function besides({ statements, uses, index }: ElementWork): readonly SyntaxNode[] {
  return statements
    .flatMap((statement) => usesOf(statement, index))
    .filter((use) => !uses.some(({ node }) => isInside(use, node)));
}

/** Lines of a statement, each one step further in; those behind the first keep their own indentation. */
function indented(text: string): readonly string[] {
  return text.split("\n").map((line) => `  ${line}`);
}

type Counted = "globalLoadRequests" | "globalStoreRequests" | "globalBytesRequested" | "instructions";

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
  if (bytes * work.lanes > wide)
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
    ideal: Math.ceil(value / work.lanes),
  };
  const saved = shareSaved(
    (total("instructions") * (work.lanes - 1)) / work.lanes,
    input.counters.totals.instructions,
  );
  return {
    evidence: evidenceFor(entry, facts, { bytes, wide: String(wide), what: loads ? "load" : "store" }),
    gain: gainOn(input, ["issue"], saved),
  };
}

/** Blanks of a hypothesis about the work. */
export function workBlanks(work: ElementWork): Readonly<Record<string, string>> {
  const vectors = new Set([...work.vectors.values()].map(({ vector }) => vector));
  return { vector: [...vectors].join(" or "), count: countWord(work.lanes) };
}
