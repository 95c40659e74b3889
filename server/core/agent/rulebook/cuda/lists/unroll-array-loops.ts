import type { KernelArray } from "../../../../language/cuda/body/arrays";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { enclosing, isInside, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { TextEdit } from "../../edits";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, type RuleEntry, threshold } from "../../rule-table";
import { estimatedValue, type KernelView } from "../kernel";
import { type ConstantTable, constantTables } from "./constant-tables";
import { localArraysMoved } from "./local-arrays";
import { hasKnownTurns, unrollEdit } from "./unrolled-loops";

/**
 * Unrolls the loops whose turns tell which element of a thread's array is meant, so that every index is a
 * number when it is compiled and the array lies in registers.
 */
export const unrollArrayLoops = defineRule("cuda-unroll-array-loops", (input, entry) =>
  localArraysMoved(input, entry, {
    terms: ["l1", "l2", "issue", "integer", "latency"],
    edits: (view, arrays) => unrolled(view, arrays, entry),
  }),
);

/** What an array needs: loops that are unrolled, and tables of which the compiler knows the numbers. */
interface Needs {
  readonly loops: readonly CountedLoop[];
  readonly tables: readonly ConstantTable[];
}

function unrolled(
  view: KernelView,
  arrays: readonly KernelArray[],
  entry: RuleEntry,
): readonly TextEdit[] | RuleHold {
  const known = constantTables(view);
  const found = arrays.map((array) => needsOf(view, array, known));
  const needs = found.flatMap((each) => (isNot(each) ? [] : [each]));
  const elements = arrays.reduce(
    (sum, array, place) => sum + (isNot(found[place]) ? 0 : elementsOf(view, array)),
    0,
  );
  if (needs.length === 0) return found.find(isNot) ?? not("no-pattern", "no array is used", view.line);
  if (elements > threshold(entry, "elementsMost"))
    return not("limit", `the arrays of a thread have ${elements} elements`, view.line);
  const loops = new Map(needs.flatMap((each) => each.loops.map((loop) => [loop.loop.id, loop])));
  const long = [...loops.values()].find(
    (loop) => writtenOut(view, loop, loops) > threshold(entry, "turnsMost"),
  );
  if (long !== undefined)
    return not("limit", "unrolled, the loops around the array would be very long", long.loop);
  const edits = [...loops.values()].flatMap(({ loop }) => unrollEdit(view.source, loop) ?? []);
  const tables = new Set(needs.flatMap((each) => each.tables.flatMap(({ local }) => local ?? [])));
  const { startIndex } = view.body;
  const own = [...tables].map((text) => ({
    start: startIndex + 1,
    end: startIndex + 1,
    text: `\n  ${text}`,
  }));
  return edits.length + own.length === 0
    ? not("no-rewrite", "every index of the arrays is known when they are compiled", view.line)
    : [...own, ...edits];
}

/** What all accesses of an array need so that each place is a number; a guard's answer where one has none. */
function needsOf(
  view: KernelView,
  array: KernelArray,
  known: ReadonlyMap<string, ConstantTable>,
): Needs | RuleHold {
  const { name, escape, accesses } = array;
  if (escape !== undefined) return not("aliasing", `${name} is used other than element by element`, escape);
  const loops: CountedLoop[] = [];
  const tables = new Map<string, ConstantTable>();
  for (const index of accesses.flatMap(({ indices }) => indices)) {
    const needs = indexNeeds(view, index, known);
    if (needs === undefined)
      return not("no-rewrite", `the turns of its loops do not tell which element of ${name} is meant`, index);
    loops.push(...needs.loops);
    for (const table of needs.tables) tables.set(table.name, table);
  }
  const apart = [...tables.values()].find((table) => !isReadAtKnownPlaces(view, table, known));
  if (apart !== undefined)
    return not("no-rewrite", `${apart.name} is read at places of run time, too`, array.declaration);
  return { loops, tables: [...tables.values()] };
}

/** The loops and tables by which an index is told; undefined where there is more to it. */
function indexNeeds(
  view: KernelView,
  index: SyntaxNode,
  known: ReadonlyMap<string, ConstantTable>,
): Needs | undefined {
  if (estimatedValue(view, index) !== undefined) return { loops: [], tables: [] };
  if (index.descendantsOfType(["update_expression", "call_expression", "field_expression"]).length > 0)
    return undefined;
  const around = countedLoops(view.body).filter(({ body }) => isInside(index, body));
  const [loops, tables]: [CountedLoop[], ConstantTable[]] = [[], []];
  const names = index.type === "identifier" ? [index] : index.descendantsOfType("identifier");
  for (const name of names) {
    if (estimatedValue(view, name) !== undefined) continue;
    const table = known.get(name.text);
    const loop = around.findLast(({ variable }) => variable === name.text);
    if (table !== undefined) tables.push(table);
    else if (loop !== undefined && hasKnownTurns(view, loop)) loops.push(loop);
    else return undefined;
  }
  return { loops, tables };
}

function isReadAtKnownPlaces(
  view: KernelView,
  { name, local }: ConstantTable,
  known: ReadonlyMap<string, ConstantTable>,
): boolean {
  if (local === undefined) return true;
  return usesOf(view.body, name).every((use) => {
    const indices = enclosing(use, "subscript_expression")?.childForFieldName("indices");
    return indices !== null && indices !== undefined && indexNeeds(view, indices, known) !== undefined;
  });
}

function elementsOf(view: KernelView, { sizes }: KernelArray): number {
  return sizes.reduce(
    (product, size) => product * (estimatedValue(view, size) ?? Number.POSITIVE_INFINITY),
    1,
  );
}

/** How often a loop's body is written out with all that are unrolled around it. */
function writtenOut(
  view: KernelView,
  { body }: CountedLoop,
  loops: ReadonlyMap<number, CountedLoop>,
): number {
  const around = [...loops.values()].filter((other) => isInside(body, other.loop));
  return around.reduce((product, loop) => product * turnsOf(view, loop), 1);
}

function turnsOf(view: KernelView, { start, bound, step }: CountedLoop): number {
  const [from, to] = [estimatedValue(view, start) ?? 0, estimatedValue(view, bound) ?? 0];
  const amount = step.amount === undefined ? 1 : (estimatedValue(view, step.amount) ?? 1);
  return Math.max(1, Math.ceil(Math.abs(to - from) / amount));
}
