import { changes, isPure, type LocalValue, localValues } from "../../../../../language/cuda/body/scope";
import { collapse, compact, fieldText, isInside, partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { freshName, replaceNode } from "../../../edits";
import type { Spelling } from "../spelling";

/**
 * `int y = a; y = b; … y` as `int y = a; int y2 = b; … y2`, also of `y += b` and of `if (y < 0) y = 0;`:
 * each name has one value then. Only where a block changes a variable of its own, and nothing inside of it
 * does.
 */
export const namedAnew: Spelling = ({ body, source }) => {
  for (const local of localValues(body)) {
    const block = local.declaration.parent;
    if (block?.type !== "compound_statement" || !isPlain(local)) continue;
    const acts = changes(block).filter(({ target }) => target.text === local.name);
    const statements = acts.map(({ act }) => partsOf(block).find((node) => isInside(act, node)));
    const sets = acts.map(({ act }, place) => setBy(act, statements[place], local.name));
    const [set] = sets;
    if (set === undefined || sets.some((each) => each === undefined)) continue;
    const after = usesOf(block, local.name).filter((use) => use.startIndex > set.statement.endIndex);
    const others = localValues(body).filter(({ name }) => name === local.name).length > 1;
    if (after.length === 0 || others) continue;
    const name = freshName(source, `${local.name}Then`);
    const type = fieldText(local.declaration, "type");
    const breaks = set.statement.text.replace(/[^\n]/g, "");
    return [
      replaceNode(set.statement, `${type} ${name} = ${set.value};${breaks}`),
      ...after.map((use) => replaceNode(use, name)),
    ];
  }
  return undefined;
};

/** The only variable of its declaration, of a type of one word. */
function isPlain({ declaration, value }: LocalValue): boolean {
  const type = fieldText(declaration, "type");
  return (
    declaration.childrenForFieldName("declarator").length === 1 &&
    /^(?:unsigned |signed )?\w+$/.test(type) &&
    type !== "auto" &&
    isPure(value)
  );
}

interface Assigned {
  readonly statement: SyntaxNode;
  /** What the variable is from there on, as text. */
  readonly value: string;
}

/** A statement of the block that changes the variable once; undefined for any other change. */
function setBy(act: SyntaxNode, statement: SyntaxNode | undefined, name: string): Assigned | undefined {
  const [left, right] = [act.childForFieldName("left"), act.childForFieldName("right")];
  if (act.type !== "assignment_expression" || left?.type !== "identifier" || !right || !statement)
    return undefined;
  if (!isPure(right)) return undefined;
  const operator = fieldText(act, "operator").slice(0, -1);
  const text = collapse(right.text);
  const value = operator === "" ? text : `${name} ${operator} (${text})`;
  if (statement.type === "expression_statement") return { statement, value };
  const condition = statement.childForFieldName("condition")?.childForFieldName("value");
  const consequence = compact(statement.childForFieldName("consequence")).replace(/^\{|\}$/g, "");
  const alone = statement.type === "if_statement" && statement.childForFieldName("alternative") === null;
  return alone && condition && consequence === `${compact(act)};`
    ? { statement, value: `(${collapse(condition.text)}) ? ${value} : ${name}` }
    : undefined;
}
