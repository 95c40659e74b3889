import type { SourceTree } from "../../judge/candidate";
import type { SyntaxNode } from "../../language/tree";
import { dialectOf } from "../../workload/spec";
import { newLines, statementsApart, withoutGaps } from "./apart";
import type { RuleParse } from "./rule";

/** One step of indentation where a file shows none. */
const usualStep = "  ";
/** What holds statements, each on lines of their own. */
const holders = new Set(["compound_statement", "field_declaration_list", "declaration_list"]);
/** Statements with a body that may stand on the next line without braces. */
const heads = new Set(["for_statement", "while_statement", "do_statement", "if_statement", "else_clause"]);

/**
 * The same files, with the lines that a rewrite has made indented as the rest of their file is, and long ones
 * with a line for each statement. Only the white space before statements changes, so the code means the
 * same. Python is left alone: there it has a meaning.
 */
export function laidOut(before: SourceTree, after: SourceTree, parse: RuleParse): SourceTree {
  const files = Object.entries(after).map(([path, text]) => {
    const known = before[path];
    const isChanged = known !== undefined && known !== text && dialectOf(path) === "cuda";
    const root = isChanged ? parse(path, text) : undefined;
    if (root === undefined || known === undefined) return [path, text] as const;
    const whole = withoutGaps(known, text, root);
    const dense = parse(path, whole);
    const apart = dense && statementsApart(known, whole, dense);
    const lines = apart ?? whole;
    const tree = apart === undefined ? dense : parse(path, apart);
    return [path, tree === undefined ? text : laidOutText(known, lines, tree)] as const;
  });
  return Object.fromEntries(files);
}

function laidOutText(before: string, after: string, root: SyntaxNode): string {
  const lines = after.split("\n");
  const made = newLines(before, after);
  const sheet = new Sheet(lines, made, stepOf(before));
  const holding = root.namedChildren.filter(({ startPosition: { row: first }, endPosition: { row: last } }) =>
    [...made].some((row) => row >= first && row <= last),
  );
  for (const { startPosition, endPosition } of holding)
    for (let { row } = startPosition; row <= endPosition.row; row += 1) sheet.place(row, root);
  // What a pragma is about has its place by now.
  for (const row of lines.keys()) sheet.placePragma(row);
  return sheet.text();
}

/** What a text is indented by: by how much most lines stand further in than the brace that they follow. */
function stepOf(text: string): string {
  const counts = new Map<string, number>();
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  for (const [index, line] of lines.entries()) {
    if (!line.trimEnd().endsWith("{")) continue;
    const [outer, inner] = [indentation(line), indentation(lines[index + 1] ?? "")];
    if (inner === outer || !inner.startsWith(outer)) continue;
    const step = inner.slice(outer.length);
    counts.set(step, (counts.get(step) ?? 0) + linesAt(inner, lines.slice(index + 1)));
  }
  const most = Math.max(...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0] ?? usualStep;
}

/** How many of the lines stand at an indentation before one stands further out. */
function linesAt(inner: string, lines: readonly string[]): number {
  const end = lines.findIndex((line) => !line.startsWith(inner));
  const inside = end < 0 ? lines : lines.slice(0, end);
  return inside.filter((line) => indentation(line) === inner).length;
}

function indentation(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** The lines of a text, row by row from the top put where they belong. */
class Sheet {
  /** How far a row was moved: its old white space and its new one. */
  private readonly moves = new Map<number, readonly [from: string, to: string]>();

  constructor(
    private readonly lines: string[],
    private readonly isNew: ReadonlySet<number>,
    private readonly step: string,
  ) {}

  text(): string {
    return this.lines.join("\n");
  }

  place(row: number, root: SyntaxNode): void {
    const line = this.lines[row] ?? "";
    const column = line.search(/\S/);
    if (column < 0) return;
    const found = nodeAt(root, { row, column });
    if (found === undefined) return;
    const statement = placeOf(found, { row, column });
    if (statement === undefined) this.follow(row, found);
    else this.indent(row, statement);
  }

  /** `#pragma unroll` of a rewrite stands where the loop behind it does. */
  placePragma(row: number): void {
    const isMade = this.isNew.has(row) || this.isNew.has(row + 1);
    if (isMade && /^[ \t]*#pragma\b/.test(this.lines[row] ?? "")) this.move(row, this.indentOf(row + 1));
  }

  /** A statement, or a brace. A line of the user's moves only where it would not lie inside its block. */
  private indent(row: number, { owner, depth }: Place): void {
    const outer = this.indentOf(owner);
    const present = this.indentOf(row);
    // A brace that closes what is new is as new, however the texts were compared; what moved takes along
    // what it holds.
    const isPlaced = this.isNew.has(owner) || this.moves.has(owner);
    const isAstray = isPlaced && (depth === 0 || present.length <= outer.length);
    if (this.isNew.has(row) || isAstray) this.move(row, outer + this.step.repeat(depth));
  }

  /** A further line of a statement keeps its distance from the first. */
  private follow(row: number, node: SyntaxNode): void {
    let statement: SyntaxNode | null = node;
    while (statement && !this.moves.has(statement.startPosition.row)) statement = statement.parent;
    const moved = statement ? this.moves.get(statement.startPosition.row) : undefined;
    const present = this.indentOf(row);
    if (moved && statement?.startPosition.row !== row && present.startsWith(moved[0]))
      this.move(row, moved[1] + present.slice(moved[0].length));
  }

  private move(row: number, to: string): void {
    const from = this.indentOf(row);
    if (from === to) return;
    this.moves.set(row, [from, to]);
    this.lines[row] = to + (this.lines[row] ?? "").slice(from.length);
  }

  private indentOf(row: number): string {
    return indentation(this.lines[row] ?? "");
  }
}

/** Where a line belongs: so many steps inside of the line that begins what holds it. */
interface Place {
  /** Row. */
  readonly owner: number;
  readonly depth: 0 | 1;
}

type Point = SyntaxNode["startPosition"];

/** The greatest node that begins at a point, else what holds the point. */
function nodeAt(root: SyntaxNode, point: Point): SyntaxNode | undefined {
  let node = root.namedDescendantForPosition(point);
  while (node?.parent && isSame(node.parent.startPosition, point)) node = node.parent;
  return node ?? undefined;
}

/** Undefined for a line that begins no statement and no brace. */
function placeOf(node: SyntaxNode, point: Point): Place | undefined {
  const { parent } = node;
  const begins = isSame(node.startPosition, point);
  const { row, column } = node.endPosition;
  const closes = holders.has(node.type) && isSame({ row, column: column - 1 }, point) && !begins;
  if (closes) return { owner: rowOfOwner(node), depth: 0 };
  if (!begins || parent === null) return undefined;
  if (holders.has(node.type) && !holders.has(parent.type)) return { owner: rowOfOwner(node), depth: 0 };
  if (node.type === "else_clause") return { owner: rowOf(parent), depth: 0 };
  if (parent.type === "declaration_list" && !isIndented(parent, node)) return undefined;
  if (holders.has(parent.type)) return { owner: rowOfOwner(parent), depth: 1 };
  return heads.has(parent.type) && isBody(node, parent) ? { owner: rowOf(parent), depth: 1 } : undefined;
}

/** True for a namespace whose other declarations stand further in than itself. */
function isIndented(list: SyntaxNode, node: SyntaxNode): boolean {
  const owner = list.parent?.startPosition.column ?? 0;
  const others = list.namedChildren.filter((child) => child.id !== node.id);
  return others.some(({ startPosition }) => startPosition.column > owner);
}

/** An if behind an else is its next branch, no statement inside of it. */
function isBody(node: SyntaxNode, head: SyntaxNode): boolean {
  if (head.type === "else_clause") return node.type !== "if_statement";
  return /_statement$|^declaration$/.test(node.type);
}

/** The row of what a block is the body of; its own where it stands by itself. */
function rowOfOwner(block: SyntaxNode): number {
  const { parent } = block;
  return parent === null || holders.has(parent.type) ? rowOf(block) : rowOf(parent);
}

function rowOf(node: SyntaxNode): number {
  return node.startPosition.row;
}

function isSame(a: Point, b: Point): boolean {
  return a.row === b.row && a.column === b.column;
}
