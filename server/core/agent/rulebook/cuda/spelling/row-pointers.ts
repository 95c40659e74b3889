import { arraysOf, subscriptIndex } from "../../../../language/cuda/body/arrays";
import { isAssigned, isPure } from "../../../../language/cuda/body/scope";
import { collapse, isInside, unwrapped, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode } from "../../edits";
import { elementAt, overlapping } from "./pointers";
import { type Spelling, staysSame, taken } from "./spelling";

/** `float* row = tile[r]; … row[c]` of a shared array of two dimensions as `tile[r][c]`. */
export const rowsFollowed: Spelling = ({ body }) => {
  const tiles = arraysOf(body).flatMap(({ name, storage, sizes }) =>
    storage === "shared" && sizes.length === 2 ? [name] : [],
  );
  for (const declaration of body.descendantsOfType("declaration")) {
    const local = rowPointer(declaration);
    if (local === undefined || !tiles.includes(local.tile) || isAssigned(body, local.name)) continue;
    if (!isPure(local.row) || loads(local.row) || !staysSame(local.row, body, () => false)) continue;
    const uses = usesOf(body, local.name).filter((use) => !isInside(use, declaration));
    const elements = uses.flatMap((use) => elementAt(use) ?? []);
    const hidden = uses.some((use) => !isInside(use, local.block)) || overlapping(elements);
    const whole = elements.every(({ index, member }) => index.length === 1 && member === "");
    if (hidden || !whole || elements.length === 0 || elements.length < uses.length) continue;
    return [
      taken(declaration),
      ...elements.map(({ node, index }) =>
        replaceNode(
          node,
          `${local.tile}[${collapse(local.row.text)}][${index.map(({ text }) => collapse(text)).join("")}]`,
        ),
      ),
    ];
  }
  return undefined;
};

interface RowPointer {
  readonly name: string;
  readonly tile: string;
  readonly row: SyntaxNode;
  readonly block: SyntaxNode;
}

/** The one pointer of a declaration that begins as a row of an array. */
function rowPointer(declaration: SyntaxNode): RowPointer | undefined {
  const [declarator, ...others] = declaration.childrenForFieldName("declarator");
  const target = declarator?.childForFieldName("declarator");
  const value = declarator?.childForFieldName("value");
  const block = declaration.parent;
  if (others.length > 0 || !value || target?.type !== "pointer_declarator" || block === null)
    return undefined;
  const [name] = target.descendantsOfType("identifier");
  const inner = unwrapped(value);
  const tile = inner.type === "subscript_expression" ? inner.childForFieldName("argument") : null;
  const row = subscriptIndex(inner);
  if (name === undefined || tile?.type !== "identifier" || row === undefined) return undefined;
  return block.type === "compound_statement" ? { name: name.text, tile: tile.text, row, block } : undefined;
}

function loads(node: SyntaxNode): boolean {
  return node.descendantsOfType(["subscript_expression", "pointer_expression"]).length > 0;
}
