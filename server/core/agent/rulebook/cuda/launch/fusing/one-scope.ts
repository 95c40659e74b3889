import { changes, isPure } from "../../../../../language/cuda/body/scope";
import { partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { isNot } from "../../../rule";
import { earlyExits, exitCondition } from "../../reductions/early-exit";
import type { Launched } from "./launch-pair";

/** One of two bodies that are to stand one behind the other. */
export interface JoinedBody {
  readonly launched: Launched;
  /** The text of a part of the body by the names of the joined kernel. */
  written(node: SyntaxNode): string;
}

/**
 * Statements of the later body that the earlier one makes needless when both stand in one scope: equal
 * declarations and equal early exits. Undefined where they have to stand in scopes of their own.
 */
export function repeatedInOneScope(first: JoinedBody, second: JoinedBody): readonly SyntaxNode[] | undefined {
  const bodies = [first.launched.view.body, second.launched.view.body];
  const changed = new Set(bodies.flatMap((body) => changes(body).map(({ target }) => target.text)));
  const isSteady = (node: SyntaxNode): boolean =>
    isPure(node) &&
    node.descendantsOfType(["subscript_expression", "pointer_expression"]).length === 0 &&
    node.descendantsOfType("identifier").every(({ text }) => !changed.has(text));
  const declared = declarationsOf(first);
  const texts = new Set(declared.map((each) => declarationText(first, each)));
  const repeated = declarationsOf(second).filter(
    (each) => isSteady(each) && texts.has(declarationText(second, each)),
  );
  const shared = new Set(repeated.flatMap(namesOf));
  const others = declared.flatMap(namesOf).filter((name) => !shared.has(name));
  if (others.some((name) => usesOf(second.launched.view.body, name).length > 0)) return undefined;
  const exits = repeatedExits(first, second, isSteady);
  return exits === undefined ? undefined : [...repeated, ...exits];
}

/** The later body's exits, where they leave as the earlier one's do; none where the earlier has none. */
function repeatedExits(
  first: JoinedBody,
  second: JoinedBody,
  isSteady: (node: SyntaxNode) => boolean,
): readonly SyntaxNode[] | undefined {
  const [leaving, later] = [first, second].map(exitsOf);
  if (leaving === undefined || later === undefined) return undefined;
  if (leaving.length === 0) return [];
  const conditionsOf = (body: JoinedBody, exits: readonly SyntaxNode[]): string =>
    exits
      .map((exit) => compactText(body.written(exitCondition(exit))))
      .toSorted()
      .join(" ");
  const isEqual = conditionsOf(first, leaving) === conditionsOf(second, later);
  const last = later.at(-1)?.startIndex ?? 0;
  const acts = partsOf(second.launched.view.body).filter(
    (node) =>
      node.startIndex < last && node.type !== "declaration" && !later.some(({ id }) => id === node.id),
  );
  const isAlike = isEqual && acts.length === 0 && leaving.every((exit) => isSteady(exitCondition(exit)));
  return isAlike ? later : undefined;
}

function exitsOf({ launched: { view } }: JoinedBody): readonly SyntaxNode[] | undefined {
  const exits = earlyExits(view, partsOf(view.body).at(-1) ?? view.body);
  return isNot(exits) ? undefined : exits;
}

function declarationsOf({ launched }: JoinedBody): readonly SyntaxNode[] {
  return partsOf(launched.view.body).filter(({ type }) => type === "declaration");
}

function namesOf(declaration: SyntaxNode): readonly string[] {
  return declaration
    .childrenForFieldName("declarator")
    .flatMap((declarator) => {
      const inner = declarator.childForFieldName("declarator") ?? declarator;
      return inner.type === "identifier" ? inner : (inner.descendantsOfType("identifier")[0] ?? []);
    })
    .map(({ text }) => text);
}

/** A declaration without what only forbids changes. */
function declarationText(body: JoinedBody, declaration: SyntaxNode): string {
  return compactText(body.written(declaration).replace(/\bconst(?:expr)?\b/g, ""));
}

function compactText(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/ ?(\W) ?/g, "$1")
    .trim();
}
