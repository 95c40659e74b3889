import { collapse, compact, lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, editedTree, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { keyword, languageCalls, positional, statementOf, tritonKernel, type TritonView } from "../kernel";
import { libraryOf } from "../spread/dimension";
import { extentsOfGrid, parameterEdit } from "../spread/programs";

/**
 * Programs that each walk a whole row before they work on their own tile of it: one program for the row walks
 * it once, and takes the tiles in turn.
 */
export const tilesInTurn = defineRule("triton-tiles-in-turn", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const found = axesOf(view).flatMap((axis) => rowWalkOf(view, axis) ?? []);
  const [row] = found;
  if (row === undefined)
    return not("no-pattern", "no loop does the same for all programs along an axis", view.line);
  const sectorsIn = (nodes: readonly SyntaxNode[]): number =>
    nodes.reduce((sum, node) => sum + countsOf(input, statementOf(node)).globalLoadSectors, 0);
  const value = sectorsIn(languageCalls(view, ["load"], row.loop));
  const ideal = sectorsIn(row.region.flatMap((each) => languageCalls(view, ["load"], each)));
  const { totals } = input.counters;
  if (ideal === 0 || value < threshold(entry, "ratio") * ideal)
    return not("no-evidence", "the loop loads little more than the tiles", row.loop);
  const gain = gainOn(
    input,
    ["dram", "l2", "l1", "issue", "latency"],
    shareSaved(value - ideal, totals.globalLoadSectors + totals.globalStoreSectors),
  );
  const facts = {
    file: input.file,
    line: lineOf(row.loop),
    counter: "globalLoadSectors" as const,
    value,
    ideal,
  };
  const evidence = evidenceFor(entry, facts, { axis: row.axis });
  const edits = inTurn(view, row);
  if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
  const hypothesis = fillSentence(entry.hypothesis, { axis: row.axis });
  return { kind: "proposal", tree: editedTree(input, edits), hypothesis, evidence, gain };
});

/** What programs along an axis do apart from each other, behind what is the same for all of them. */
interface OwnWork {
  readonly axis: string;
  /** Statements in front of what is shared that belong to the tile. */
  readonly before: readonly SyntaxNode[];
  /** All statements from the first behind what is shared that belongs to the tile to the last. */
  readonly region: readonly SyntaxNode[];
}

/** A loop that is the same for all programs along an axis, and what stands behind it and is not. */
interface RowWalk extends OwnWork {
  readonly loop: SyntaxNode;
}

function axisText(call: SyntaxNode): string {
  return (keyword(call, "axis") ?? positional(call)[0])?.text ?? "";
}

/** Axes by which programs are numbered, the last first. */
export function axesOf(view: TritonView): readonly string[] {
  const axes = languageCalls(view, ["program_id"]).map(axisText);
  return [...new Set(axes)]
    .filter((axis) => /^[012]$/.test(axis))
    .sort()
    .reverse();
}

function rowWalkOf(view: TritonView, axis: string): RowWalk | undefined {
  const all = partsOf(view.body);
  const own = ownStatements(view, all, axis);
  const loop = all.find(
    (each) =>
      /^(?:for|while)_statement$/.test(each.type) &&
      !own.has(each.id) &&
      languageCalls(view, ["load"], each).length > 0,
  );
  const work = loop && ownWork(view, { axis, shared: loop });
  return work && { ...work, loop };
}

/**
 * The work along an axis behind a statement that all programs along it share; undefined where none is left.
 */
export function ownWork(
  view: TritonView,
  { axis, shared }: { readonly axis: string; readonly shared: SyntaxNode },
): OwnWork | undefined {
  const all = partsOf(view.body);
  const own = ownStatements(view, all, axis);
  const before = all.filter((each) => own.has(each.id) && each.startIndex < shared.startIndex);
  const behind = all.filter((each) => own.has(each.id) && each.startIndex > shared.endIndex);
  const [first, last] = [behind[0], behind.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const region = all.filter(
    ({ startIndex, endIndex }) => startIndex >= first.startIndex && endIndex <= last.endIndex,
  );
  return { axis, before, region };
}

/** The statements that depend on the number of the program along an axis, in the order in which they run. */
export function ownStatements(
  view: TritonView,
  all: readonly SyntaxNode[],
  axis: string,
): ReadonlySet<number> {
  const names = new Set<string>();
  const found = new Set<number>();
  for (const statement of all) {
    const numbers = languageCalls(view, ["program_id"], statement).some((call) => axisText(call) === axis);
    const given = givenIn(statement);
    const uses = statement
      .descendantsOfType("identifier")
      .some((node) => names.has(node.text) && !given.some(({ id }) => id === node.id));
    if (numbers || uses) found.add(statement.id);
    for (const { text } of given)
      if (numbers || uses) names.add(text);
      else names.delete(text);
  }
  return found;
}

/** The names that a statement gives values. */
function givenIn(statement: SyntaxNode): readonly SyntaxNode[] {
  return statement
    .descendantsOfType(["assignment", "augmented_assignment", "for_statement"])
    .flatMap((act) => act.childForFieldName("left")?.descendantsOfType("identifier") ?? []);
}

/**
 * One program for all of an axis, or for so many indices of it, which does in a loop what its programs did
 * apart from each other.
 */
export function inTurn(
  view: TritonView,
  { axis, before, region }: OwnWork,
  each?: number,
): readonly TextEdit[] | RuleHold {
  const { source, launch } = view;
  const [first, last] = [region[0], region.at(-1)];
  const grid = extentsOfGrid(view);
  if (isNot(grid)) return grid;
  const extent = grid.extents[Number(axis)];
  const passed = partsOf(launch.call.childForFieldName("arguments")).at(-1);
  if (first === undefined || last === undefined || extent === undefined || passed === undefined)
    return not("launch", "the grid has no such axis", launch.call);
  if (grid.chosen.some((text) => usesOf(extent, text).length > 0))
    return not("launch", "the autotuner's choice decides how many tiles there are", extent);
  const carried = carriedIn(region) ?? loadedBefore(view, before);
  if (carried !== undefined) return carried;
  const [turn, tiles] = ["turn", "tiles"].map((name) => freshName(source, name)) as [string, string];
  const declared = parameterEdit(view, tiles);
  if (isNot(declared)) return declared;
  const numbers = languageCalls(view, ["program_id"]).filter((call) => axisText(call) === axis);
  const edits = numbers.map((call) => replaceNode(call, turn));
  const within = (start: number, end: number): string =>
    editedText(
      source,
      { start, end },
      edits.filter((edit) => edit.start >= start && edit.end <= end),
    );
  const indent = indentOf(source, first);
  const texts = [
    ...before.map((each) => within(each.startIndex, each.endIndex)),
    within(first.startIndex, last.endIndex),
  ];
  const body = texts.map((text) => `\n${indent}    ${text.replaceAll("\n", "\n    ")}`);
  return [
    declared,
    ...before.map((each) => ({
      start: source.lastIndexOf("\n", each.startIndex),
      end: each.endIndex,
      text: "",
    })),
    {
      start: first.startIndex,
      end: last.endIndex,
      text: `for ${turn} in range(${turnsOf(view, { axis, tiles, each })}):${body.join("")}`,
    },
    replaceNode(extent, each === undefined ? "1" : `-(-(${collapse(extent.text)}) // ${each})`),
    { start: passed.endIndex, end: passed.endIndex, text: `, ${tiles}=${collapse(extent.text)}` },
  ];
}

/** From which to which index a program goes. */
function turnsOf(
  view: TritonView,
  { axis, tiles, each }: { readonly axis: string; readonly tiles: string; readonly each: number | undefined },
): string {
  if (each === undefined) return `0, ${tiles}`;
  const library = libraryOf(view);
  const first = `${library}program_id(${axis}) * ${each}`;
  return `${first}, ${library}minimum(${first} + ${each}, ${tiles})`;
}

/** A name that a tile would hand on to the next one: it is used before the tile gives it a value. */
function carriedIn(region: readonly SyntaxNode[]): RuleHold | undefined {
  const given = new Set<string>();
  const later = new Set(region.flatMap(givenIn).map(({ text }) => text));
  for (const statement of region) {
    const own = givenIn(statement);
    const used = statement
      .descendantsOfType("identifier")
      .find((node) => later.has(node.text) && !given.has(node.text) && !own.some(({ id }) => id === node.id));
    const isNested = used !== undefined && !/^(?:expression|return)_statement$/.test(statement.type);
    if (used !== undefined && !isNested)
      return not("dependence", `${used.text} is used before a tile gives it its value`, used);
    for (const { text } of own) given.add(text);
  }
  return undefined;
}

/** A condition, or a write to memory, in front of the loop that a tile decides. */
function loadedBefore(view: TritonView, before: readonly SyntaxNode[]): RuleHold | undefined {
  const odd = before.find(
    (each) => each.type !== "expression_statement" || /\b(?:store|atomic_\w+)\(/.test(compact(each)),
  );
  const counted = languageCalls(view, ["num_programs"])[0];
  const found = odd ?? counted;
  return (
    found && not("no-rewrite", "the tile decides more than what is computed behind what all share", found)
  );
}
