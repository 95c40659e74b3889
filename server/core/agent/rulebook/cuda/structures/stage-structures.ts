import { coefficient, constantOf } from "../../../../language/cuda/body/forms";
import { countedLoops } from "../../../../language/cuda/body/loops";
import { subscriptIndex } from "../../../../language/cuda/body/arrays";
import { compact, fieldText, isInside, lineOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, editedTree, freshName, insertBefore, replaceNode, type TextEdit } from "../../edits";
import {
  type Counts,
  countsBeside,
  countsOf,
  evidenceFor,
  gainOn,
  shareSaved,
  wasteOf,
} from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, formIn, type KernelView, scalarBytes } from "../kernel";
import { blockShape } from "../launch/block-shape";
import { lineNames, lineSpace, lineWalk, placeLines } from "../points/line-space";
import { elementTypeOf, type PointSpace } from "../points/point-space";
import { isStoredTo, lookUpsIn, mayStore, outermost } from "./structure-stores";
import { type Layout, structureLayout, structureMembers } from "./structure-layout";

/**
 * Moves structures that lie side by side through shared memory: a block copies those of its points as they
 * lie in memory, and each thread reads and writes the members there.
 */
export const stageStructures = defineRule("cuda-stage-structures", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = blockShape(input, view);
  if (isNot(block)) return block;
  const space = lineSpace(view, block.sizes);
  if (isNot(space)) return space;
  const pieces = view.kernel.facts.parameters.flatMap(({ name, pointer }) => {
    const piece = pointer ? pieceOf(view, space, name) : undefined;
    return piece ?? [];
  });
  const [first] = pieces;
  if (first === undefined) return not("no-pattern", "no array holds structures of the points", view.line);
  const waste = wasteIn(input, view, space);
  if (waste.ratio < threshold(entry, "ratio"))
    return not("no-evidence", "members are not loaded from many more sectors than they fill", first.at);
  const gain = gainOn(input, ["dram", "l2", "l1", "latency"], shareSaved(waste.lost, waste.value));
  const staged = stagedPieces(view, space, { pieces, entry, threads: block.sizes[0] });
  if (isNot(staged)) return { ...staged, gain };
  const evidence = evidenceFor(
    entry,
    { file: input.file, line: lineOf(first.at), ...waste },
    { array: staged.pieces.map(({ parameter }) => parameter).join(" and ") },
  );
  return {
    kind: "proposal",
    tree: editedTree(input, edited(view, space, staged)),
    hypothesis: fillSentence(entry.hypothesis, { points: String(staged.length) }),
    evidence,
    gain,
  };
});

/** An array of which each point has a piece: a structure, or a few elements next to each other. */
interface Piece {
  readonly parameter: string;
  readonly type: string;
  /** Elements of the array that belong to a point. */
  readonly elements: number;
  readonly layout: Layout;
  readonly uses: readonly SyntaxNode[];
  readonly at: SyntaxNode;
  readonly loaded: boolean;
  readonly stored: boolean;
}

interface Staged {
  readonly pieces: readonly Piece[];
  /** Points of a tile. */
  readonly length: number;
  readonly threads: number;
}

/** The array as pieces of points; undefined where a use of it is anything else. */
function pieceOf(view: KernelView, space: PointSpace, parameter: string): Piece | undefined {
  const mentions = space.statements.flatMap((node) => usesOf(node, parameter));
  const type = elementTypeOf(view, parameter);
  const uses = mentions.flatMap(({ parent }) => (parent?.type === "subscript_expression" ? parent : []));
  const [at] = uses;
  if (at === undefined || type === undefined || uses.length < mentions.length) return undefined;
  const spans = uses.map((node) => spanOf(view, space, node));
  const elements = spans[0]?.elements;
  const inside =
    elements !== undefined &&
    spans.every((span) => span?.elements === elements && span.least >= 0 && span.most < elements);
  if (!inside) return undefined;
  const bytes = scalarBytes(view, type);
  const layout = bytes === undefined ? structureLayout(view, type) : { bytes, alignment: bytes };
  if (layout === undefined || (elements < 2 && bytes !== undefined)) return undefined;
  const stored = !isConst(view, parameter) && uses.some((use) => mayStore(view, space, use));
  const loaded = !uses.every((use) => isStoredTo(use));
  const piece = { parameter, type, elements, layout, uses, at, loaded, stored };
  return loaded || storesAll(view, space, piece) ? piece : undefined;
}

interface Span {
  readonly elements: number;
  readonly least: number;
  readonly most: number;
}

/** `3 * point + 1`: how many elements a point has, and which of them are meant. */
function spanOf(view: KernelView, space: PointSpace, subscript: SyntaxNode): Span | undefined {
  const index = subscriptIndex(subscript);
  if (index === undefined) return undefined;
  const form = space.form(index);
  const point = space.axes[0].name;
  let [least, most] = [0, 0];
  for (const [key, factor] of form) {
    if (key === point) continue;
    const range = key === "" ? { first: 1, last: 1 } : loopRange(view, key, subscript);
    if (range === undefined) return undefined;
    least += Math.min(factor * range.first, factor * range.last);
    most += Math.max(factor * range.first, factor * range.last);
  }
  return { elements: coefficient(form, point), least, most };
}

/** Values of the variable of a loop between constants, of the innermost one around a use. */
function loopRange(
  view: KernelView,
  name: string,
  use: SyntaxNode,
): { readonly first: number; readonly last: number } | undefined {
  const loop = countedLoops(view.body).findLast((each) => each.variable === name && isInside(use, each.loop));
  if (loop === undefined || loop.step.operator !== "+") return undefined;
  const [first, end] = [constantOf(formIn(view, loop.start)), constantOf(formIn(view, loop.bound))];
  if (first === undefined || end === undefined || !["<", "<="].includes(loop.comparison)) return undefined;
  return { first, last: loop.comparison === "<" ? end - 1 : end };
}

function isConst(view: KernelView, parameter: string): boolean {
  const found = view.kernel.facts.parameters.find(({ name }) => name === parameter);
  return /\bconst\b/.test(found?.type.replace(/\*\s*(?:__restrict__\s*)?const\b/, "*") ?? "");
}

/**
 * True where each point certainly touches its piece up to both ends, so that all of it lies in the array: of
 * a structure any member, of other elements the first and the last one.
 */
function isWhole(view: KernelView, space: PointSpace, { uses, elements }: Piece): boolean {
  const spans = uses
    .filter((use) => isAlways(view, space, use))
    .flatMap((use) => spanOf(view, space, use) ?? []);
  const least = Math.min(...spans.map((span) => span.least));
  const most = Math.max(...spans.map((span) => span.most));
  return least === 0 && most === elements - 1;
}

/** True for a use that every point comes to, in all turns of its loops. */
function isAlways(view: KernelView, { statements }: PointSpace, use: SyntaxNode): boolean {
  const maybe = ["if_statement", "conditional_expression", "while_statement", "switch_statement"];
  for (
    let outer = use.parent;
    outer !== null && statements.some((each) => isInside(outer ?? use, each));
    outer = outer.parent
  ) {
    if (maybe.includes(outer.type) || /^(&&|\|\|)$/.test(fieldText(outer, "operator"))) return false;
    if (outer.type === "for_statement" && !runsThrough(view, outer)) return false;
  }
  return true;
}

function runsThrough(view: KernelView, loop: SyntaxNode): boolean {
  const counted = countedLoops(view.body).find((each) => each.loop.id === loop.id);
  const leaves = loop.descendantsOfType(["break_statement", "continue_statement", "return_statement"]);
  return (
    counted !== undefined && leaves.length === 0 && loopRange(view, counted.variable, loop) !== undefined
  );
}

/** True where each point stores all of its piece, so that nothing of it need be loaded before. */
function storesAll(view: KernelView, space: PointSpace, { uses, elements, type }: Piece): boolean {
  const always = uses.filter((use) => {
    const statement = outermost(use).parent?.parent;
    return space.statements.some(({ id }) => id === statement?.id);
  });
  const places = new Set(
    always.flatMap((use) => {
      const span = spanOf(view, space, use);
      return span === undefined ? [] : `${span.least}${compact(outermost(use)).slice(compact(use).length)}`;
    }),
  );
  const members = structureMembers(view, type);
  return Array.from({ length: elements }, (_, place) => place).every(
    (place) =>
      places.has(`${place}`) ||
      (members.length > 0 && members.every((name) => places.has(`${place}.${name}`))),
  );
}

interface Waste {
  readonly counter: "globalLoadSectors" | "globalStoreSectors";
  readonly value: number;
  readonly ideal: number;
  readonly lost: number;
  readonly ratio: number;
}

/** Sectors of the points' work beyond those that its elements fill. */
function wasteIn(input: RuleInput, view: KernelView, { statements }: PointSpace): Waste {
  const looksUp = lookUpsIn(view);
  const own = statements.filter((node) => !looksUp(node));
  const beside = own.length < statements.length ? [] : [countsBeside(input, view.kernel.definition)];
  const counts = [...own.map((node) => countsOf(input, node)), ...beside];
  const sum = (of: (one: Counts) => number): number => counts.reduce((total, one) => total + of(one), 0);
  const [loads, stores] = [sum((one) => one.globalLoadSectors), sum((one) => one.globalStoreSectors)];
  const ideal = sum((one) => one.globalLoadSectorsIdeal + one.globalStoreSectorsIdeal);
  const value = loads + stores;
  const counter = stores > loads ? "globalStoreSectors" : "globalLoadSectors";
  return { counter, value, ideal, lost: Math.max(0, value - ideal), ratio: wasteOf(value, ideal) };
}

interface Wanted {
  readonly pieces: readonly Piece[];
  readonly entry: RuleEntry;
  readonly threads: number;
}

function stagedPieces(
  view: KernelView,
  space: PointSpace,
  { pieces, entry, threads }: Wanted,
): Staged | RuleHold {
  const [guard] = space.guards;
  if (guard !== undefined) return not("dependence", `only points with ${guard} have any work`, view.line);
  const fixed = [...space.definitions, ...space.kept].join("\n");
  const partly = pieces.find((piece) => !isWhole(view, space, piece));
  if (partly !== undefined)
    return not("dependence", `not all of ${partly.parameter} is read for each point`, partly.at);
  const shared = pieces.find(({ parameter }) => new RegExp(`\\b${parameter}\\b`).test(fixed));
  if (shared !== undefined)
    return not("aliasing", `a local pointer holds an address in ${shared.parameter}`, shared.at);
  const bytes = pieces.reduce((total, { layout, elements }) => total + layout.bytes * elements, 0);
  const most = Math.floor(threshold(entry, "sharedBytesMost") / bytes / 32) * 32;
  const length = Math.min(threads, most);
  return length < 32
    ? not("limit", `a structure of ${bytes} bytes is too long for a tile`, view.line)
    : { pieces, length, threads };
}

function edited(view: KernelView, space: PointSpace, staged: Staged): readonly TextEdit[] {
  const { source } = view;
  const { pieces, length } = staged;
  const names = lineNames(source, space);
  const [count, copy] = [freshName(source, "points"), freshName(source, "copyTogether")];
  const tileOf = ({ parameter }: Piece): string => freshName(source, `${parameter}Staged`);
  const replaced = pieces.flatMap((piece) => piece.uses.map((use) => replacement(piece, use, names.first)));
  const work = space.statements.map((statement) =>
    editedText(
      source,
      { start: statement.startIndex, end: statement.endIndex },
      replaced
        .filter(({ node }) => isInside(node, statement))
        .map(({ node, index, piece }) => replaceNode(node, `${tileOf(piece)}[${index}]`)),
    ),
  );
  const sides = (piece: Piece): readonly [string, string, string] => {
    const times = piece.elements === 1 ? "" : ` * ${piece.elements}`;
    const start = `${piece.parameter} + static_cast<size_t>(${names.first})${times}`;
    return [tileOf(piece), start, `${count} * static_cast<int>(sizeof(${piece.type}))${times}`];
  };
  const loaded = pieces.filter((piece) => piece.loaded);
  const loads = loaded.map((piece) => {
    const [tile, start, bytes] = sides(piece);
    return `${copy}(${tile}, ${start}, ${bytes});`;
  });
  const stores = pieces
    .filter(({ stored }) => stored)
    .map((piece) => {
      const [tile, start, bytes] = sides(piece);
      return `${copy}(${start}, ${tile}, ${bytes});`;
    });
  const end = space.axes[0].extent;
  const walk = lineWalk({
    ...{ view, space, names, length },
    declarations: pieces.flatMap((piece) => tileLines(source, piece, { tile: tileOf(piece), length })),
    piece: [
      `const int ${count} = ${end} - ${names.first} < ${length} ? ${end} - ${names.first} : ${length};`,
      ...loads,
      "__syncthreads();",
      ...placeLines(space, names, { length, threads: staged.threads, work }),
      "__syncthreads();",
      ...(stores.length === 0 ? [] : [...stores, "__syncthreads();"]),
    ],
  });
  return [walk, insertBefore(outerDeclaration(view), copyFunction(copy, staged))];
}

/** The tile's declaration: as bytes where elements have constructors, which shared memory does not run. */
function tileLines(
  source: string,
  { type, elements, layout }: Piece,
  { tile, length }: { readonly tile: string; readonly length: number },
): readonly string[] {
  if (layout.isMade !== true) return [`__shared__ __align__(16) ${type} ${tile}[${length * elements}];`];
  const bytes = freshName(source, `${tile}Bytes`);
  return [
    `__shared__ __align__(16) unsigned char ${bytes}[${length * elements} * sizeof(${type})];`,
    `${type}* const ${tile} = reinterpret_cast<${type}*>(${bytes});`,
  ];
}

/** An element of the array as one of the tile: its index less that of the tile's first element. */
function replacement(
  piece: Piece,
  use: SyntaxNode,
  first: string,
): { readonly node: SyntaxNode; readonly index: string; readonly piece: Piece } {
  const index = compact(use.childForFieldName("indices")).replace(/^\[|\]$/g, "");
  const start = piece.elements === 1 ? first : `${piece.elements} * ${first}`;
  return { node: use, index: `${index} - ${start}`, piece };
}

/** Words in which memory of an alignment is moved. */
const words: Readonly<Record<number, string>> = { 1: "unsigned char", 2: "unsigned short" };

/**
 * A function by which a block copies bytes as they lie, sixteen a thread where the addresses allow it. All
 * loads of a thread are asked for before the first of them is waited for.
 */
function copyFunction(name: string, { pieces, length, threads }: Staged): string {
  const bytes = Math.max(...pieces.map((piece) => bytesOf(piece) * length));
  const unit = words[Math.min(...pieces.map(({ layout }) => layout.alignment))] ?? "unsigned int";
  const times = Math.ceil(bytes / (16 * threads));
  return [
    "/** Copies bytes with all threads of a block, neighbouring words by neighbouring threads. */",
    `static __device__ __forceinline__ void ${name}(void* to, const void* from, int bytes) {`,
    "  if ((reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes) % sizeof(uint4) == 0) {",
    "    #pragma unroll",
    `    for (int turn = 0; turn < ${times}; ++turn) {`,
    `      const int word = threadIdx.x + turn * ${threads};`,
    "      if (word < bytes / static_cast<int>(sizeof(uint4)))",
    "        static_cast<uint4*>(to)[word] = static_cast<const uint4*>(from)[word];",
    "    }",
    "  } else {",
    `    for (int word = threadIdx.x; word < bytes / static_cast<int>(sizeof(${unit})); word += blockDim.x)`,
    `      static_cast<${unit}*>(to)[word] = static_cast<const ${unit}*>(from)[word];`,
    "  }",
    "}",
    "",
    "",
  ].join("\n");
}

function bytesOf({ layout, elements }: Piece): number {
  return layout.bytes * elements;
}

/**
 * The declaration of a namespace or of the file that the kernel is a part of, or the comment right above it.
 */
function outerDeclaration({ body }: KernelView): SyntaxNode {
  let outer = body;
  const ends = ["translation_unit", "declaration_list"];
  while (outer.parent !== null && !ends.includes(outer.parent.type)) outer = outer.parent;
  for (;;) {
    const above = outer.previousNamedSibling;
    if (above?.type !== "comment" || above.endPosition.row + 1 !== outer.startPosition.row) break;
    outer = above;
  }
  return outer;
}
