import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import type { Form } from "../../../../language/cuda/body/forms";
import { statementsOf } from "../../../../language/cuda/body/loops";
import { isInside, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, freshName, replaceNode, type TextEdit } from "../../edits";
import { not, type RuleHold } from "../../rule";
import { type KernelView, nothingOf } from "../kernel";
import { factorOf } from "../launch/grid-edit";
import { elementTypeOf, type PointSpace } from "../points/point-space";
import { lineNames, lineWalk } from "../points/line-space";
import { plainType } from "../points/tile-walk";
import { copyIn, copyOut } from "./copy-text";
import { pitchOf, tileKind, type Walk, type WalkPlan } from "./walk-plan";
import type { WalkedArray } from "./walked-array";

interface Sizes {
  readonly plan: WalkPlan;
  /** Turns of a walk that a tile holds. */
  readonly turns: number;
  readonly threads: number;
}

/** Everything that the lines of one kernel share. */
interface Making extends Sizes {
  readonly view: KernelView;
  readonly space: PointSpace;
  /** The first point of the block. */
  readonly first: string;
  readonly works: string;
  /** The tile of an array in a walk, by the order of arrays with the same elements. */
  tileOf(walk: Walk, array: WalkedArray): string;
}

/**
 * The kernel with its walks through shared memory; a guard's answer where threads without work are in
 * the way.
 */
export function stagedWalks(
  view: KernelView,
  space: PointSpace,
  sizes: Sizes,
): readonly TextEdit[] | RuleHold {
  const names = lineNames(view.source, space);
  const tiles = tilesOf(view, sizes);
  const making: Making = {
    ...{ ...sizes, view, space, first: names.first, works: freshName(view.source, "works") },
    tileOf: (walk, array) => tiles.nameOf(walk, array),
  };
  const held = heldBy(making);
  if (held !== undefined) return held;
  const [across] = space.axes;
  const { threads } = sizes;
  return [
    lineWalk({
      ...{ view, space, names, length: threads, declarations: tiles.declarations },
      piece: [
        `const ${plainType(across)} ${across.name} = ${names.first} + threadIdx.x;`,
        `const bool ${making.works} = ${across.name} < ${factorOf(across.extent)};`,
        ...space.definitions,
        ...linesOf(making, space.statements),
      ],
    }),
  ];
}

interface Tiles {
  readonly declarations: readonly string[];
  nameOf(walk: Walk, array: WalkedArray): string;
}

/** One tile for all walks' first arrays of a type and length, one for their second ones, and so on. */
function tilesOf({ source }: KernelView, { plan, turns, threads }: Sizes): Tiles {
  const kept = new Map<string, { readonly name: string; readonly line: string }>();
  const byArray = new Map<WalkedArray, string>();
  for (const walk of plan.walks) {
    const used = new Map<string, number>();
    for (const array of walk.arrays) {
      const kind = tileKind(array, turns);
      const place = used.get(kind) ?? 0;
      used.set(kind, place + 1);
      const key = `${kind} ${place}`;
      const taken = `${source} ${[...kept.values()].map(({ name }) => name).join(" ")}`;
      const name = kept.get(key)?.name ?? freshName(taken, `${array.parameter}Tile`);
      const line = `__shared__ ${array.type} ${name}[${threads}][${pitchOf(array, turns)}];`;
      kept.set(key, { name, line });
      byArray.set(array, name);
    }
  }
  return {
    declarations: [...kept.values()].map(({ line }) => line),
    nameOf: (_, array) => byArray.get(array) ?? "",
  };
}

/** Work outside of the walks that threads without a point could not do, nor leave out. */
function heldBy(making: Making): RuleHold | undefined {
  const { view, plan, space } = making;
  const outside = outsideOf(making, space.statements);
  const shared = outside.find((node) => /\b__shared__\b|__sync/.test(node.text));
  if (shared !== undefined) return not("cooperation", "the threads of a block work together", shared);
  const accesses = cudaAccesses(view.kernel).accesses.map(({ node }) => node);
  const pointers = view.kernel.facts.parameters.filter(({ pointer }) => pointer);
  const declared = outside.filter(({ type }) => type === "declaration");
  for (const statement of declared)
    for (const { name } of pointers) {
      const other = usesOf(statement, name).find((use) => !accesses.some((node) => isInside(use, node)));
      if (other !== undefined)
        return not("aliasing", `a declaration uses ${name} otherwise than by its elements`, other);
    }
  const unsure = declared
    .flatMap((statement) => loadsIn(making, statement))
    .find(({ type }) => type === undefined);
  if (unsure !== undefined) return not("type", "the type of what is loaded is not written out", unsure.node);
  const barrier = plan.walks.find(({ counted }) =>
    /__sync|__shfl|__ballot|__any|__all/.test(counted.body.text),
  );
  return barrier && not("cooperation", "the threads of a block work together", barrier.counted.loop);
}

/** Statements that are no walks, down through the loops around these. */
function outsideOf(making: Making, statements: readonly SyntaxNode[]): readonly SyntaxNode[] {
  const { plan } = making;
  return statements.flatMap((statement) => {
    if (plan.walks.some(({ counted }) => counted.loop.id === statement.id)) return [];
    const around = plan.around.find(({ loop }) => loop.id === statement.id);
    return around === undefined ? [statement] : outsideOf(making, statementsOf(around.body));
  });
}

function loadsIn({ view }: Making, statement: SyntaxNode) {
  const all = cudaAccesses(view.kernel).accesses.filter(({ node }) => isInside(node, statement));
  const outer = all.filter(
    ({ node }) => !all.some((each) => each.node.id !== node.id && isInside(node, each.node)),
  );
  return outer.map(({ node, parameter }) => ({ node, type: elementTypeOf(view, parameter) }));
}

function linesOf(making: Making, statements: readonly SyntaxNode[]): readonly string[] {
  const { plan, works, view } = making;
  const lines: string[] = [];
  let open: string[] = [];
  const close = (): void => {
    if (open.length > 0) lines.push(`if (${works}) {`, ...open.map((line) => `  ${line}`), "}");
    open = [];
  };
  for (const statement of statements.filter(({ type }) => type !== "comment")) {
    const walk = plan.walks.find(({ counted }) => counted.loop.id === statement.id);
    const around = plan.around.find(({ loop }) => loop.id === statement.id);
    if (walk === undefined && around === undefined && statement.type !== "declaration") {
      open.push(statement.text);
      continue;
    }
    close();
    if (walk !== undefined) lines.push(...walkLines(making, walk));
    else if (around !== undefined) {
      const head = view.source.slice(around.loop.startIndex, around.body.startIndex).trim();
      const inner = linesOf(making, statementsOf(around.body));
      lines.push(`${head} {`, ...inner.map((line) => `  ${line}`), "}");
    } else lines.push(declarationOf(making, statement));
  }
  close();
  return lines;
}

/** A declaration in which threads without a point load nothing. */
function declarationOf(making: Making, statement: SyntaxNode): string {
  const edits = loadsIn(making, statement).map(({ node, type }) =>
    replaceNode(node, `(${making.works} ? ${node.text} : ${nothingOf(making.view, type ?? "")})`),
  );
  return editedText(making.view.source, { start: statement.startIndex, end: statement.endIndex }, edits);
}

function walkLines(making: Making, walk: Walk): readonly string[] {
  const { view, turns, works } = making;
  const { counted, down, arrays } = walk;
  const { source } = view;
  const type = plainType({ name: "", type: counted.type, start: 0, extent: "" });
  const [chunk, count] = [freshName(source, "chunk"), freshName(source, "turns")];
  const from = down ? freshName(source, "from") : chunk;
  const reach = counted.comparison.includes("=") ? 1 : 0;
  const bound = factorOf(counted.bound.text);
  const start = counted.start.text;
  const high = reach === 1 ? `${bound} + 1` : bound;
  // Counting down, the walk's last turn is the bound, or the one above it.
  const low = reach === 1 ? bound : `${bound} + 1`;
  const head = down
    ? `for (${type} ${chunk} = ${factorOf(start)} + 1; ${chunk} > ${low}; ${chunk} -= ${turns}) {`
    : `for (${type} ${chunk} = ${start}; ${chunk} < ${high}; ${chunk} += ${turns}) {`;
  const left = down ? `${chunk} - ${factorOf(low)}` : `${factorOf(high)} - ${chunk}`;
  const turn = counted.variable;
  const inner = down
    ? `for (${type} ${turn} = ${chunk} - 1; ${turn} >= ${from}; --${turn})`
    : `for (${type} ${turn} = ${chunk}; ${turn} < ${chunk} + ${count}; ++${turn})`;
  const copy = { ...making, count, from };
  const loads = arrays
    .filter(({ loaded }) => loaded)
    .flatMap((array) => copyIn(copy, array, making.tileOf(walk, array)));
  const stores = arrays
    .filter(({ stored }) => stored)
    .flatMap((array) => copyOut(copy, array, making.tileOf(walk, array)));
  return [
    head,
    `  const int ${count} = ${left} < ${turns} ? ${left} : ${turns};`,
    ...(down ? [`  const ${type} ${from} = ${chunk} - ${count};`] : []),
    ...[...loads, "__syncthreads();"].map((line) => `  ${line}`),
    `  if (${works})`,
    `    ${inner} ${bodyText(making, walk, from)}`,
    "  __syncthreads();",
    ...(stores.length === 0 ? [] : [...stores, "__syncthreads();"]).map((line) => `  ${line}`),
    "}",
  ];
}

/** The loop's body with the elements of its rows taken from the tiles. */
function bodyText(making: Making, walk: Walk, from: string): string {
  const { counted, arrays } = walk;
  const edits = arrays.flatMap((array) =>
    array.uses.map(({ access, place }) => {
      const turn = `${counted.variable} - ${from}`;
      const at = array.each === 1 ? turn : `${array.each} * (${turn})`;
      return replaceNode(
        access.node,
        `${making.tileOf(walk, array)}[threadIdx.x][${[at, ...placeTerms(place)].join(" + ")}]`,
      );
    }),
  );
  const { startIndex: start, endIndex: end } = counted.body;
  return editedText(making.view.source, { start, end }, edits);
}

function placeTerms(place: Form): readonly string[] {
  return [...place].map(([key, times]) => {
    if (key === "") return String(times);
    return times === 1 ? key : `${times} * ${key}`;
  });
}
