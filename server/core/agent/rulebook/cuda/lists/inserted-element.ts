import { changes, localValues } from "../../../../language/cuda/body/scope";
import { compact, isInside, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { estimatedValue, type KernelView } from "../kernel";
import type { Picked } from "./picked-elements";
import { movedLines, textWith, wholeLoop, type WalkedLoop } from "./walked-loops";

/** A walk from an end of a list, and the statements right behind it that put something where it ended. */
interface Insertion {
  readonly walked: WalkedLoop;
  readonly statements: readonly SyntaxNode[];
}

/**
 * Walks that begin at an end of their list and whose variable does nothing more than to say where the
 * statements behind them store: those can be done in the turn that ends the walk.
 */
export function insertionsIn(
  view: KernelView,
  walks: readonly WalkedLoop[],
  picked: readonly Picked[],
): readonly Insertion[] {
  return walks.flatMap((walked) => {
    const { variable, loop } = walked;
    const begin = beginOf(view, walked);
    const statements = statementsBehind(loop, variable, picked);
    if (begin === undefined || statements.length === 0) return [];
    const all = [begin, loop, ...statements];
    const elsewhere = usesOf(view.body, variable).some((use) => !all.some((each) => isInside(use, each)));
    return elsewhere ? [] : [{ walked, statements }];
  });
}

/** The declaration beside the loop by which its variable begins at an end of the list. */
function beginOf(view: KernelView, walked: WalkedLoop): SyntaxNode | undefined {
  const { variable, loop, isDown, high, low, start } = walked;
  const [local, ...others] = localValues(view.body).filter(({ name }) => name === variable);
  if (local === undefined || others.length > 0 || start !== "") return undefined;
  if (local.declaration.parent?.id !== loop.parent?.id || isChangedBeside(view, walked)) return undefined;
  const first = isDown ? high : String(low);
  const isSame = compact(local.value) === first.replace(/\s/g, "");
  return isSame || String(estimatedValue(view, local.value)) === first ? local.declaration : undefined;
}

/** The statements right behind a loop that pick elements by its variable alone. */
function statementsBehind(
  loop: SyntaxNode,
  variable: string,
  picked: readonly Picked[],
): readonly SyntaxNode[] {
  const statements: SyntaxNode[] = [];
  for (let next = loop.nextNamedSibling; next?.type === "expression_statement";) {
    const { id } = next;
    const own = picked.filter(({ statement }) => statement.id === id);
    if (own.length === 0 || own.some(({ index }) => compact(index) !== variable)) break;
    statements.push(next);
    next = next.nextNamedSibling;
  }
  return statements;
}

/** True where something but the walk itself changes its variable. */
function isChangedBeside({ body }: KernelView, { variable, loop }: WalkedLoop): boolean {
  return changes(body).some(({ act, target }) => target.text === variable && !isInside(act, loop));
}

/** The walk, unrolled: each turn moves an element on, or puts the new one there and ends the walk. */
export function insertedEdit(view: KernelView, { walked, statements }: Insertion): TextEdit {
  const { source } = view;
  const { loop, variable, condition, isDown, low, high } = walked;
  const [place, open, moves] = ["place", "open", "moves"].map((name) => freshName(source, name)) as [
    string,
    string,
    string,
  ];
  const indent = indentOf(source, loop);
  const stored = (at: string): string =>
    statements
      .map((statement) =>
        editedText(
          source,
          { start: statement.startIndex, end: statement.endIndex },
          usesOf(statement, variable).map((use) => replaceNode(use, at)),
        ),
      )
      .join(" ");
  const asked = condition === undefined ? open : `${open} && (${textWith(view, condition, variable, place)})`;
  const [from, to, turn, end] = isDown
    ? [high, `${place} >= ${low}`, `--${place}`, String(low - 1)]
    : [String(low), `${place} <= ${high}`, `++${place}`, `(${high}) + 1`];
  const lines = [
    "{",
    `  bool ${open} = true;`,
    "  #pragma unroll",
    `  for (int ${place} = ${from}; ${to}; ${turn}) {`,
    `    const bool ${moves} = ${asked};`,
    `    if (${moves}) {`,
    ...movedLines(view, walked, place).map((line) => `      ${line}`),
    `    } else if (${open}) {`,
    `      ${stored(place)}`,
    "    }",
    `    ${open} = ${moves};`,
    "  }",
    `  if (${open}) { ${stored(end)} }`,
    "}",
  ];
  const behind = statements.at(-1) ?? loop;
  return { start: wholeLoop(loop), end: behind.endIndex, text: lines.join(`\n${indent}`) };
}
