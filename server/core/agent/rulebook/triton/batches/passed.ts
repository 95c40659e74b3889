import { freshName, replaceNode, type TextEdit } from "../../edits";
import { not, type RuleHold } from "../../rule";
import type { TritonView } from "../kernel";
import { libraryOf } from "../spread/dimension";
import type { BatchLoop } from "./batch-loop";
import type { Turn } from "./turns";

/** What one launch for all turns passes. */
interface Passed {
  /** Edits of the arguments that are there. */
  readonly edits: readonly TextEdit[];
  /** What the kernel begins a turn with. */
  readonly lines: readonly string[];
  /** New parameters, with what is passed for them. */
  readonly strides: readonly { readonly name: string; readonly value: string }[];
}

/** How the kernel tells which turn it is in, and what a parameter of a turn is called. */
interface Told {
  readonly numberOf: (turn: Turn) => string;
  readonly nameOf: (parameter: string) => string;
}

/** What the turn of a loop was, told by a number that the kernel knows. */
export function passedForTurns(
  view: TritonView,
  { turns, following }: BatchLoop,
  { numberOf, nameOf }: Told,
): Passed | RuleHold {
  const library = libraryOf(view);
  const device = following.find((each) => each.view !== undefined)?.view?.base;
  let taken = view.source;
  const edits: TextEdit[] = [];
  const lines: string[] = [];
  const strides: { name: string; value: string }[] = [];
  for (const { parameter, node, ...of } of following) {
    if (of.view !== undefined) {
      edits.push(replaceNode(node, of.view.start));
      let start = nameOf(parameter) === parameter ? undefined : parameter;
      for (const { turn, dimension } of of.view.steps) {
        const name = freshName(taken, `${parameter}_stride`);
        taken += ` ${name} `;
        strides.push({ name, value: `${of.view.base}.stride(${dimension})` });
        const on = `${numberOf(turn)}.to(${library}int64) * ${name}`;
        const moved = start === undefined ? `+= ${on}` : `= ${start} + ${on}`;
        lines.push(`${nameOf(parameter)} ${moved}`);
        start = undefined;
      }
    } else if (of.same !== undefined) edits.push(replaceNode(node, of.same));
    else if (of.turn !== undefined) {
      edits.push(replaceNode(node, "0"));
      lines.push(`${nameOf(parameter)} = ${numberOf(of.turn)}`);
    } else if (of.number !== undefined) {
      const [turn] = turns;
      if (turn === undefined || device === undefined)
        return not("no-rewrite", `no tensor says where ${parameter} of all turns belongs`, node);
      const all = `torch.tensor([${of.number} for ${turn.head}], device=${device}.device)`;
      edits.push(replaceNode(node, all));
      lines.push(`${nameOf(parameter)} = ${library}load(${parameter} + ${numberOf(turn)})`);
    }
  }
  return { edits, lines, strides };
}
