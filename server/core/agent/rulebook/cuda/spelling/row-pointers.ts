import {
  type ArrayAccess,
  arraysOf,
  elementOf,
  type KernelArray,
} from "../../../../language/cuda/body/arrays";
import { changes, isPure } from "../../../../language/cuda/body/scope";
import { collapse, compact, isInside, partsOf, unwrapped, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode } from "../../edits";
import { type Spelling, staysSame, taken } from "./spelling";

/**
 * `float* row = tile[r]; … row[c]` of a shared array as `tile[r][c]`, and so `float (*own)[32] = tiles[w]; …
 * own[r][c]` and `auto& own = tiles[w]` of one with more dimensions.
 */
export const rowsFollowed: Spelling = ({ body }) => {
  const tiles = arraysOf(body).filter(({ storage, sizes }) => storage === "shared" && sizes.length > 1);
  for (const declaration of body.descendantsOfType(["declaration", "expression_statement"])) {
    const local = rowPointer(declaration, tiles);
    if (local === undefined) continue;
    const { name, row, block, left } = local;
    const changed = changes(body).some(
      ({ act, target }) => target.text === name && !isInside(act, declaration),
    );
    if (changed) continue;
    if (row.some((index) => !isPure(index) || loads(index) || !staysSame(index, body, () => false))) continue;
    const uses = usesOf(body, name).filter((use) => !isInside(use, declaration));
    const elements = uses.flatMap((use) => elementOf(use, left) ?? []);
    const hidden = uses.some((use) => !isInside(use, block)) || overlapping(elements);
    if (hidden || elements.length === 0 || elements.length < uses.length) continue;
    const first = [local.tile, ...row.map(({ text }) => `[${collapse(text)}]`)].join("");
    return [
      taken(declaration),
      ...elements.map(({ node, indices }) =>
        replaceNode(node, [first, ...indices.map(({ text }) => `[${collapse(text)}]`)].join("")),
      ),
    ];
  }
  return undefined;
};

interface RowPointer {
  readonly name: string;
  readonly tile: string;
  /** The indices that the name stands for. */
  readonly row: readonly SyntaxNode[];
  /** How many more an element needs. */
  readonly left: number;
  readonly block: SyntaxNode;
}

/** The one name of a declaration that begins as a part of an array. */
function rowPointer(statement: SyntaxNode, tiles: readonly KernelArray[]): RowPointer | undefined {
  const { parent: block } = statement;
  const named = statement.type === "declaration" ? declared(statement) : declaredAsIfAssigned(statement);
  if (named === undefined || block?.type !== "compound_statement") return undefined;
  const { name, value } = named;
  const row: SyntaxNode[] = [];
  let node = unwrapped(value);
  while (node.type === "subscript_expression") {
    const [index, ...more] = partsOf(node.childForFieldName("indices"));
    const inner = node.childForFieldName("argument");
    if (index === undefined || more.length > 0 || inner === null) return undefined;
    row.unshift(index);
    node = unwrapped(inner);
  }
  const tile = tiles.find((each) => each.name === node.text);
  const left = (tile?.sizes.length ?? 0) - row.length;
  if (tile === undefined || row.length === 0 || left < 1) return undefined;
  return { name, tile: tile.name, row, left, block };
}

interface Named {
  readonly name: string;
  readonly value: SyntaxNode;
}

const referring = ["pointer_declarator", "reference_declarator"];

/** The only name of a declaration, where it points or refers to something. */
function declared(declaration: SyntaxNode): Named | undefined {
  const [declarator, ...others] = declaration.childrenForFieldName("declarator");
  const target = declarator?.childForFieldName("declarator");
  const value = declarator?.childForFieldName("value");
  const name = target?.descendantsOfType("identifier")[0]?.text;
  if (others.length > 0 || !value || !target || name === undefined) return undefined;
  return target.descendantsOfType(referring).length === 1 ? { name, value } : undefined;
}

/** `float (*own)[32] = tiles[w];`, which the grammar takes for an assignment to what a call returns. */
function declaredAsIfAssigned(statement: SyntaxNode): Named | undefined {
  const [act] = partsOf(statement);
  const [left, value] = [act?.childForFieldName("left"), act?.childForFieldName("right")];
  if (act?.type !== "assignment_expression" || !left || !value) return undefined;
  const name = /^[\w:]+\([*&](\w+)\)(?:\[[^\]]*\])+$/.exec(compact(left))?.[1];
  return name === undefined ? undefined : { name, value };
}

function overlapping(elements: readonly ArrayAccess[]): boolean {
  return elements.some((one) =>
    elements.some((other) => other.node.id !== one.node.id && isInside(one.node, other.node)),
  );
}

function loads(node: SyntaxNode): boolean {
  return node.descendantsOfType(["subscript_expression", "pointer_expression"]).length > 0;
}
