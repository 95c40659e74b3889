import { type Form, formFrom, formText, sameForm } from "../../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops } from "../../../../../language/cuda/body/loops";
import { isPure } from "../../../../../language/cuda/body/scope";
import { collapse, partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { formIn, type KernelView } from "../../kernel";

/** A kernel that is declarations and one loop over the elements of the whole grid. */
export interface ElementLoop {
  readonly loop: CountedLoop;
  readonly declarations: readonly SyntaxNode[];
}

const first = formFrom({ "blockDim.x*blockIdx.x": 1, "threadIdx.x": 1 });
const onwards = formFrom({ "blockDim.x*gridDim.x": 1 });

/** The loop that all of the kernel's work stands in; undefined where the kernel is written in another way. */
export function elementLoop(view: KernelView): ElementLoop | undefined {
  const statements = partsOf(view.body);
  const last = statements.at(-1);
  const declarations = statements.slice(0, -1);
  const loop = countedLoops(view.body).find((each) => each.loop.id === last?.id);
  if (loop === undefined || !declarations.every((node) => node.type === "declaration" && isPure(node)))
    return undefined;
  const { start, step, comparison, body } = loop;
  const leaves = body.descendantsOfType(["return_statement", "goto_statement"]);
  const isStrided =
    comparison === "<" &&
    step.operator === "+" &&
    step.amount !== undefined &&
    sameForm(formIn(view, start), first) &&
    sameForm(formIn(view, step.amount), onwards);
  return isStrided && leaves.length === 0 ? { loop, declarations } : undefined;
}

/**
 * An index that is the number of the loop's turn as the loop counts it, by what the host passes: two loops of
 * equal text take the same threads to the same elements. Undefined for any other index.
 */
export function turnPlace(
  view: KernelView,
  index: Form,
  passed: ReadonlyMap<string, string>,
): string | undefined {
  const found = elementLoop(view);
  if (found === undefined || index.size !== 1 || index.get(found.loop.variable) !== 1) return undefined;
  const changed = usesOf(found.loop.body, found.loop.variable).some(
    ({ parent }) => parent?.type === "update_expression" || parent?.type === "assignment_expression",
  );
  const bound = formText(formIn(view, found.loop.bound));
  const told = bound.replace(/[A-Za-z_][\w.]*/g, (word) => passed.get(word) ?? word);
  return changed ? undefined : `each of ${collapse(told)}`;
}
