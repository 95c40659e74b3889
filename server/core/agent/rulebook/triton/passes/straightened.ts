import { at, mustGet } from "../../../../base/known";
import { isInside, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { languageCalls, maskOf, keyword, positional, type TritonView } from "../kernel";
import { libraryOf } from "../spread/dimension";
import { Numbering } from "./numbering";
import type { Walk, Walks } from "./walks";

/** A load of a later walk that loads what an earlier one has loaded. */
interface SharedLoad {
  readonly load: SyntaxNode;
  readonly from: SyntaxNode;
}

/** Walks as straight code. */
interface Straightened {
  readonly edits: readonly TextEdit[];
  /** Loads that are not made again. */
  readonly saved: readonly SyntaxNode[];
}

/**
 * Every walk without its loop, as though its block were as long as the row: what later walks load and work
 * out again is taken from the first that did.
 */
export function straightened(view: TritonView, { walks }: Walks): Straightened {
  const plan = planOf(view, walks);
  const names = keptNames(view, plan.shared, walks);
  return {
    edits: walks.map((walk) => walkEdit(view, walk, plan, names)),
    saved: [
      ...plan.shared.map(({ load }) => load),
      ...plan.dropped.flatMap((node) => languageCalls(view, ["load"], node)),
    ],
  };
}

interface Plan {
  /** Statements that give a name the value that it has. */
  readonly dropped: readonly SyntaxNode[];
  readonly shared: readonly SharedLoad[];
}

function planOf(view: TritonView, walks: readonly Walk[]): Plan {
  const numbers = new Numbering(walks.flatMap(({ positions }) => positions));
  const loads = new Map<string, SyntaxNode>();
  const dropped: SyntaxNode[] = [];
  const shared: SharedLoad[] = [];
  const start = at(walks, 0).loop.startIndex;
  for (const statement of partsOf(view.body).filter(({ endIndex }) => endIndex >= start)) {
    const walk = walks.find(({ loop }) => loop.id === statement.id);
    for (const part of walk?.statements ?? [statement]) {
      const given = givenBy(part);
      const value = given && numbers.of(given.value);
      const known = given !== undefined && numbers.valueOf(given.name) === value;
      if (walk !== undefined && known) {
        dropped.push(part);
        continue;
      }
      if (walk !== undefined) shared.push(...sharedIn(view, { numbers, loads }, part));
      if (given && value !== undefined) numbers.give(given.name, value);
      else for (const name of changedIn(part)) numbers.forget(name);
    }
  }
  return { dropped, shared };
}

interface Seen {
  readonly numbers: Numbering;
  /** The first load of each place. */
  readonly loads: Map<string, SyntaxNode>;
}

/** Loads of a statement whose place was loaded before. */
function sharedIn(view: TritonView, { numbers, loads }: Seen, part: SyntaxNode): readonly SharedLoad[] {
  return languageCalls(view, ["load"], part).flatMap((load) => {
    const place = placeOf(view, numbers, load);
    const from = loads.get(place);
    if (from === undefined) loads.set(place, load);
    return from === undefined ? [] : [{ load, from }];
  });
}

/** `name = value`. */
function givenBy(statement: SyntaxNode): { readonly name: string; readonly value: SyntaxNode } | undefined {
  const [act] = partsOf(statement);
  const [name, value] = [act?.childForFieldName("left"), act?.childForFieldName("right")];
  return statement.type === "expression_statement" &&
    act?.type === "assignment" &&
    name?.type === "identifier" &&
    value
    ? { name: name.text, value }
    : undefined;
}

function changedIn(node: SyntaxNode): readonly string[] {
  return node
    .descendantsOfType(["assignment", "augmented_assignment", "for_statement"])
    .flatMap((act) => act.childForFieldName("left")?.descendantsOfType("identifier") ?? [])
    .map(({ text }) => text);
}

/** The address and the mask of a load. */
function placeOf(view: TritonView, numbers: Numbering, load: SyntaxNode): string {
  const [address] = positional(load);
  const mask = maskOf(view, load);
  return `${address === undefined ? "" : numbers.of(address)}|${mask === undefined ? "" : numbers.of(mask)}`;
}

/** A name for each load that others are taken from. */
function keptNames(
  view: TritonView,
  shared: readonly SharedLoad[],
  walks: readonly Walk[],
): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const { from } of shared) {
    if (names.has(from.id)) continue;
    const known = [...names.values()];
    let name = freshName(view.source, "row_values");
    while (known.includes(name))
      name = freshName(`${view.source} ${known.join(" ")}`, `row_values${known.length + 1}`);
    const inWalk = walks.some(({ loop }) => isInside(from, loop));
    if (inWalk) names.set(from.id, name);
  }
  return names;
}

function walkEdit(
  view: TritonView,
  walk: Walk,
  { dropped, shared }: Plan,
  names: ReadonlyMap<number, string>,
): TextEdit {
  const outer = indentOf(view.source, walk.loop);
  const inner = walk.statements[0] === undefined ? outer : indentOf(view.source, walk.statements[0]);
  const lines = walk.statements.flatMap((statement) => {
    if (dropped.some(({ id }) => id === statement.id)) return [];
    const edits = walk.positions.flatMap((position) => positionEdit(position, statement) ?? []);
    const made: string[] = [];
    for (const load of languageCalls(view, ["load"], statement)) {
      const name = names.get(load.id);
      const taken = shared.find((each) => each.load.id === load.id);
      const own = edits.filter((edit) => edit.start >= load.startIndex && edit.end <= load.endIndex);
      if (name === undefined && taken === undefined) continue;
      if (name !== undefined)
        made.push(
          `${name} = ${editedText(view.source, { start: load.startIndex, end: load.endIndex }, own)}`,
        );
      const text = taken === undefined ? name : takenText(view, taken, { names, edits });
      for (const edit of own) edits.splice(edits.indexOf(edit), 1);
      if (text !== undefined) edits.push(replaceNode(load, text));
    }
    const text = editedText(view.source, { start: statement.startIndex, end: statement.endIndex }, edits);
    return [...made, text.replaceAll(`\n${inner}`, `\n${outer}`)];
  });
  return { start: walk.loop.startIndex, end: walk.loop.endIndex, text: lines.join(`\n${outer}`) };
}

interface Taking {
  readonly names: ReadonlyMap<number, string>;
  readonly edits: readonly TextEdit[];
}

/** The earlier value; lanes beyond the row get what this load gives them. */
function takenText(view: TritonView, { load, from }: SharedLoad, { names, edits }: Taking): string {
  const name = mustGet(names, from.id);
  const [own, earlier] = [otherOf(load), otherOf(from)];
  const mask = maskOf(view, load);
  if (own === undefined || mask === undefined || own.text === earlier?.text) return name;
  const inMask = edits.filter((edit) => edit.start >= mask.startIndex && edit.end <= mask.endIndex);
  const condition = editedText(view.source, { start: mask.startIndex, end: mask.endIndex }, inMask);
  return `${libraryOf(view)}where(${condition}, ${name}, ${own.text})`;
}

function otherOf(load: SyntaxNode): SyntaxNode | undefined {
  return keyword(load, "other") ?? positional(load)[2];
}

/** A term of a sum that is 0 now. */
function positionEdit(position: SyntaxNode, statement: SyntaxNode): TextEdit | undefined {
  if (!isInside(position, statement)) return undefined;
  const sum = position.parent;
  const [left, right] = [sum?.childForFieldName("left"), sum?.childForFieldName("right")];
  if (sum?.type !== "binary_operator" || !left || !right) return replaceNode(position, "0");
  return position.id === left.id
    ? { start: left.startIndex, end: right.startIndex, text: "" }
    : { start: left.endIndex, end: right.endIndex, text: "" };
}
