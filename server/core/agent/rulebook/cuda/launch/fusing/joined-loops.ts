import { localValues } from "../../../../../language/cuda/body/scope";
import { collapse, enclosing, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { editedText, replaceNode, type TextEdit } from "../../../edits";
import { loopTypes } from "../../../diagnosis/places";
import { not, type RuleHold } from "../../../rule";
import { textOf } from "./body-text";
import { type ElementLoop, elementLoop } from "./element-loop";
import type { Launched } from "./launch-pair";

/** One of two kernels whose loops become one, with what changes in its body. */
interface LoopSide {
  readonly launched: Launched;
  readonly edits: readonly TextEdit[];
}

interface Side extends LoopSide {
  readonly whole: ElementLoop;
}

/**
 * The lines of one loop that does what the loops of both kernels do of each element, one after the other;
 * undefined where they are no loops over the elements of the grid.
 */
export function joinedLoops(one: LoopSide, two: LoopSide): readonly string[] | RuleHold | undefined {
  const wholes = [one, two].map(({ launched }) => elementLoop(launched.view));
  const [first, second] = wholes;
  if (first === undefined && second === undefined) return undefined;
  if (first === undefined || second === undefined)
    return not("no-rewrite", "one of the kernels has no loop over the grid", two.launched.call);
  return inOneLoop({ ...one, whole: first }, { ...two, whole: second });
}

function inOneLoop(first: Side, second: Side): readonly string[] | RuleHold {
  const { loop } = first.whole;
  if (loop.type !== second.whole.loop.type)
    return not("type", "the loops of both kernels count in different types", second.launched.call);
  const skipped = loop.body
    .descendantsOfType(["continue_statement", "break_statement"])
    .find((node) => enclosing(node, ...loopTypes, "switch_statement")?.id === loop.loop.id);
  if (skipped !== undefined) return not("no-rewrite", "a turn of the first loop ends in the middle", skipped);
  const declared = new Set(first.whole.declarations.map((node) => textOf(node, first.edits)).map(collapse));
  const own = second.whole.declarations.filter((node) => !declared.has(collapse(textOf(node, second.edits))));
  const clash = clashOf(first, second, own);
  if (clash !== undefined) return clash;
  const theirs = second.whole.loop;
  const renamed =
    theirs.variable === loop.variable
      ? []
      : usesOf(theirs.body, theirs.variable).map((use) => replaceNode(use, loop.variable));
  const head = editedText(
    first.launched.view.source,
    { start: loop.loop.startIndex, end: loop.body.startIndex },
    first.edits.filter(({ start, end }) => start >= loop.loop.startIndex && end <= loop.body.startIndex),
  );
  return [
    ...first.whole.declarations.map((node) => `  ${textOf(node, first.edits)}`),
    ...own.map((node) => `  ${textOf(node, second.edits)}`),
    `  ${collapse(head)} {`,
    ...scoped(loop.body, first.edits),
    ...scoped(theirs.body, [...second.edits, ...renamed]),
    "  }",
  ];
}

/** A name that would mean something else in the other kernel's part. */
function clashOf(first: Side, second: Side, own: readonly SyntaxNode[]): RuleHold | undefined {
  const namesOf = (nodes: readonly SyntaxNode[]): readonly string[] =>
    nodes.flatMap((node) => localValues(node).map(({ name }) => name));
  const shared = new Set(namesOf(second.whole.declarations).filter((name) => !namesOf(own).includes(name)));
  const { variable } = first.whole.loop;
  const mine = [...namesOf(first.whole.declarations), variable].filter((name) => !shared.has(name));
  const taken = mine.find((name) => name !== second.whole.loop.variable && isNamedIn(second, name));
  const other = namesOf(own).find((name) => isNamedIn(first, name));
  const name = taken ?? other;
  return name === undefined
    ? undefined
    : not("no-rewrite", `${name} means another thing in each of the kernels`, second.launched.call);
}

function isNamedIn({ launched: { view } }: Side, name: string): boolean {
  return usesOf(view.kernel.definition, name).length > 0;
}

/** The work of one turn in a scope of its own, a level deeper than it stood. */
function scoped(body: SyntaxNode, edits: readonly TextEdit[]): readonly string[] {
  const text = textOf(body, edits);
  if (body.type !== "compound_statement") return [`    { ${text} }`];
  const lines = text
    .slice(1, -1)
    .replace(/^[^\S\n]*\n|\s+$/g, "")
    .split("\n");
  return ["    {", ...lines.map((line) => (line === "" ? line : `  ${line}`)), "    }"];
}
