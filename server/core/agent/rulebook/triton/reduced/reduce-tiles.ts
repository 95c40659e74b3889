import { collapse, lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { termOf } from "../../../../timing/bound";
import { editedText, editedTree, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence } from "../../rule-table";
import { firstStatement } from "../batches/host-text";
import { isCallOf, languageCalls, launchValue, statementOf, tritonKernel, type TritonView } from "../kernel";
import { dependencesOf } from "../spread/dependence";
import { libraryOf } from "../spread/dimension";
import { extentsOfGrid, isAxis, parameterEdit } from "../spread/programs";
import { type ReducedMatrix, reducedMatrix } from "./host-reduction";
import { runningReduction } from "./running";
import { maskOfSide, type StoredTile, storedTile } from "./stored-tile";

/**
 * Lets each program walk over all tiles of its rows and keep what torch would make of each row: the matrix is
 * neither stored nor read again.
 */
export const reduceTiles = defineRule("triton-reduce-tiles", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const tile = storedTile(view);
  if (isNot(tile)) return tile;
  const passed = launchValue(view, tile.parameter);
  if (passed === undefined) return not("launch", "the launch is not read", view.launch.call);
  const matrix = reducedMatrix(view, tile.parameter, passed);
  if (isNot(matrix)) return matrix;
  const { store } = tile;
  const { globalStoreSectors: value } = countsOf(input, statementOf(store));
  const own = gainOn(
    input,
    ["dram", "l2", "latency"],
    shareSaved(value, input.counters.totals.globalStoreSectors + input.counters.totals.globalLoadSectors),
  );
  const gain = Math.max(own, shareSaved(termOf(input.bound, "torch"), input.bound.nanoseconds));
  const edits = reducedEdits(view, tile, matrix);
  if (isNot(edits)) return { ...edits, gain };
  const blanks = { array: matrix.name, call: collapse(matrix.reading.text) };
  const facts = { file: input.file, line: lineOf(store), counter: "globalStoreSectors" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, blanks),
    evidence: evidenceFor(entry, { ...facts, value, ideal: 0 }, blanks),
    gain,
  };
});

function reducedEdits(
  view: TritonView,
  tile: StoredTile,
  matrix: ReducedMatrix,
): readonly TextEdit[] | RuleHold {
  const held = heldBack(view, tile);
  if (held !== undefined) return held;
  const { source, launch } = view;
  const goes = tile.sides[matrix.dimension];
  const grid = extentsOfGrid(view);
  if (isNot(grid)) return grid;
  const extent = grid.extents[goes.grid];
  if (extent === undefined || grid.chosen.length > 0)
    return not("launch", "how many tiles there are is not what the host writes", launch.call);
  const names = {
    tile: freshName(source, "tile"),
    tiles: freshName(source, "n_tiles"),
    count: freshName(source, "n_each"),
    second: freshName(source, `${matrix.name}_at`),
  };
  const kernel = kernelEdit(view, { tile, matrix }, names);
  if (isNot(kernel)) return kernel;
  const both = matrix.wanted.length > 1;
  const counts = matrix.wanted.includes("mean");
  const declared = parameterEdit(
    view,
    [...(both ? [`${names.second}_ptr`] : []), names.tiles, ...(counts ? [names.count] : [])].join(", "),
  );
  const last = partsOf(launch.call.childForFieldName("arguments")).at(-1);
  if (isNot(declared)) return declared;
  if (last === undefined) return not("launch", "the launch passes nothing", launch.call);
  const each = collapse(matrix.extents[matrix.dimension].text);
  const given = [
    ...(both ? [`${names.second}_ptr=${names.second}`] : []),
    `${names.tiles}=${collapse(extent.text)}`,
    ...(counts ? [`${names.count}=${each}`] : []),
  ];
  return [
    kernel,
    declared,
    replaceNode(extent, "1"),
    ...matrix.strides.map((node) => replaceNode(node, "0")),
    { start: last.endIndex, end: last.endIndex, text: `, ${given.join(", ")}` },
    ...hostEdits(view, matrix, names.second),
  ];
}

function heldBack(view: TritonView, { sides }: StoredTile): RuleHold | undefined {
  const { body, launch } = view;
  if (view.tuned) return not("launch", "the autotuner chooses the tiles", launch.call);
  const [leaves] = body.descendantsOfType("return_statement");
  if (leaves !== undefined) return not("no-rewrite", "the kernel may end early", leaves);
  const asks = languageCalls(view, ["num_programs"])[0];
  if (asks !== undefined) return not("no-rewrite", "the kernel asks how many programs there are", asks);
  const changed = body
    .descendantsOfType(["assignment", "augmented_assignment"])
    .find((act) => view.parameters.some(({ name }) => act.childForFieldName("left")?.text === name));
  if (changed !== undefined) return not("no-rewrite", "the kernel changes a parameter", changed);
  const odd = sides.find(({ indices }) => indices.type !== "identifier");
  return odd && not("no-rewrite", "the indices of a side have no name", odd.indices);
}

interface Names {
  readonly tile: string;
  readonly tiles: string;
  readonly count: string;
  readonly second: string;
}

/** The kernel's statements: what all tiles share in front of a loop, the others in it, the stores behind. */
function kernelEdit(
  view: TritonView,
  { tile, matrix }: { readonly tile: StoredTile; readonly matrix: ReducedMatrix },
  names: Names,
): TextEdit | RuleHold {
  const { source, body } = view;
  const [goes, stays] = [tile.sides[matrix.dimension], tile.sides[matrix.dimension === 1 ? 0 : 1]];
  const mask = maskOfSide(view, tile, stays);
  if (typeof mask === "object") return mask;
  const first = firstStatement(view);
  const statements = partsOf(body).filter(({ startIndex }) => startIndex >= first.startIndex);
  const shared = sharedStatements(view, statements, goes.grid);
  const needed = [stays.indices.text, ...(mask?.match(/[A-Za-z_]\w*/g) ?? [])];
  const missing = statements.find(
    (statement) =>
      !shared.includes(statement) &&
      needed.some((name) => partsOf(statement)[0]?.childForFieldName("left")?.text === name),
  );
  if (missing !== undefined)
    return not("dependence", "which rows a program has follows from its tile", missing);
  let taken = source;
  const library = libraryOf(view);
  const running = runningReduction(matrix.wanted, {
    library,
    value: collapse(tile.value.text),
    mask: tile.mask === undefined ? undefined : collapse(tile.mask.text),
    axis: goes.along,
    length: stays.length,
    indices: goes.indices.text,
    count: names.count,
    name: (wanted) => {
      const name = freshName(taken, wanted);
      taken += ` ${name} `;
      return name;
    },
  });
  const indent = indentOf(source, first);
  const text = (statement: SyntaxNode): string =>
    numbered(view, statement, { axis: goes.grid, to: names.tile });
  const inside = statements
    .filter((each) => !shared.includes(each) && each.id !== tile.store.parent?.id)
    .map(text);
  const masked = mask === undefined ? "" : `, mask=${mask}`;
  const pointers = [tile.parameter, `${names.second}_ptr`];
  const stores = running.results.map(
    (result, place) =>
      `${library}store(${pointers[place] ?? ""} + ${stays.indices.text}, ${result}${masked})`,
  );
  const turn = [...inside, ...running.turn].map((line) => line.replaceAll("\n", "\n    "));
  const lines = [
    ...shared.map(text),
    ...running.begin,
    `for ${names.tile} in range(${names.tiles}):`,
    ...turn.map((line) => `    ${line}`),
    ...stores,
  ];
  return { start: first.startIndex, end: body.endIndex, text: lines.join(`\n${indent}`) };
}

/** A statement with the number of the program along an axis replaced. */
function numbered(
  view: TritonView,
  statement: SyntaxNode,
  { axis, to }: { readonly axis: number; readonly to: string },
): string {
  const edits = statement
    .descendantsOfType("call")
    .filter((call) => isCallOf(view, call, "program_id") && isAxis(call, axis))
    .map((call) => replaceNode(call, to));
  return editedText(view.source, { start: statement.startIndex, end: statement.endIndex }, edits);
}

/** Statements that give a name its only value, of what no program along the axis has for itself. */
function sharedStatements(
  view: TritonView,
  statements: readonly SyntaxNode[],
  axis: number,
): readonly SyntaxNode[] {
  const of = dependencesOf(view, (node) =>
    isCallOf(view, node, "program_id") ? { programs: isAxis(node, axis), lanes: false } : undefined,
  );
  const acts = view.body.descendantsOfType(["assignment", "augmented_assignment", "for_statement"]);
  const timesGiven = (name: string): number =>
    acts.filter((act) => usesOf(act.childForFieldName("left") ?? act, name).length > 0).length;
  const known = new Set<string>();
  return statements.filter((statement) => {
    const [act] = partsOf(statement);
    const name = act?.type === "assignment" ? act.childForFieldName("left") : undefined;
    const value = act?.childForFieldName("right");
    if (name?.type !== "identifier" || !value || timesGiven(name.text) !== 1 || of(value).programs)
      return false;
    const used = value.descendantsOfType("identifier").map(({ text }) => text);
    const isKept = used.every((each) => known.has(each) || timesGiven(each) === 0);
    if (isKept) known.add(name.text);
    return isKept;
  });
}

/** One value for each row in the place of the matrix, and in that of what torch made of it. */
function hostEdits(
  { source }: TritonView,
  { maker, extents, options, dimension, wanted, reading, keeps, name }: ReducedMatrix,
  second: string,
): readonly TextEdit[] {
  const rows = collapse(extents[dimension === 1 ? 0 : 1].text);
  const others = options
    .filter((each) => each.childForFieldName("name")?.text !== "dtype")
    .map(({ text }) => text);
  const whole = (type: string): string =>
    `torch.empty((${[rows].join()},), ${[...others, `dtype=${type}`].join(", ")})`;
  const type = options.find((each) => each.childForFieldName("name")?.text === "dtype");
  const own = type?.childForFieldName("value")?.text ?? "torch.float32";
  const [first, also] = wanted.map((each) => (each.startsWith("arg") ? "torch.int64" : own));
  const statement = maker.parent ?? maker;
  const made = also === undefined ? "" : `\n${indentOf(source, statement)}${second} = ${whole(also)}`;
  const shown = (text: string): string => (keeps ? `${text}.unsqueeze(${dimension})` : text);
  const result = also === undefined ? shown(name) : `${shown(name)}, ${shown(second)}`;
  return [replaceNode(maker, `${whole(first ?? own)}${made}`), replaceNode(reading, result)];
}
