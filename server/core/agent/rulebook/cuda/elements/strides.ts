import { at } from "../../../../base/known";
import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { formText } from "../../../../language/cuda/body/forms";
import { compact, enclosing, isInside } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode, type TextEdit } from "../../edits";
import { isNot, not, type RuleHold } from "../../rule";
import { formIn, type KernelView } from "../kernel";
import { type ElementPlace, type ElementWork, elementWork } from "./element-work";

/** An element-wise kernel with what has to change around its statements. */
export interface Found {
  readonly work: ElementWork;
  edits(lanes: number): readonly TextEdit[];
  /** Loops over the same elements, which have to change with this one. */
  readonly along?: readonly Found[];
}

/** A loop over the grid, by its parts. */
export interface Stride {
  readonly place: ElementPlace;
  readonly start: SyntaxNode;
  readonly amount: SyntaxNode;
  /** Whose threads take the elements in turn. */
  readonly reach: "block" | "grid";
}

/** An array that these statements store to and others touch: another thread's elements will be there. */
export function handsOn(
  view: KernelView,
  { statements, uses, streams, region }: ElementWork,
  along: readonly ElementWork[] = [],
): RuleHold | undefined {
  const parameter = ({ stream }: (typeof uses)[number]): string => streams.get(stream)?.parameter ?? "";
  const stored = new Set(uses.filter(({ store }) => store !== undefined).map(parameter));
  const touched = new Set(uses.map(parameter));
  const own = new Set(uses.map(({ stream }) => stream));
  // The same elements in a loop that changes with this one: they stay with their threads.
  const alike = along.flatMap((each) => each.uses.filter(({ stream }) => own.has(stream)));
  const other = cudaAccesses(view.kernel).accesses.find(
    (access) =>
      !statements.some((statement) => isInside(access.node, statement)) &&
      !isInOtherBranch(access.node, region.first) &&
      !alike.some(({ node }) => isInside(access.node, node)) &&
      (stored.has(access.parameter) || (access.stores && touched.has(access.parameter))),
  );
  return other && not("dependence", `${other.base} is touched outside of the loop as well`, other.node);
}

/** True where an `if` runs one of two nodes or the other. */
function isInOtherBranch(node: SyntaxNode, other: SyntaxNode): boolean {
  for (let at = enclosing(node, "if_statement"); at !== undefined; at = enclosing(at, "if_statement")) {
    const sides = [at.childForFieldName("consequence"), at.childForFieldName("alternative")];
    const [one, two] = sides.map((side) => side !== null && isInside(node, side));
    const [first, second] = sides.map((side) => side !== null && isInside(other, side));
    if ((one && second) || (two && first)) return true;
  }
  return false;
}

/** A loop's start and step for so many elements a turn. */
export function stepsOf(
  { start, amount }: Pick<Stride, "start" | "amount">,
  lanes: number,
): readonly TextEdit[] {
  const factors =
    amount.type === "identifier" || compact(amount).includes("*") ? amount.text : `(${amount.text})`;
  return [replaceNode(start, `(${start.text}) * ${lanes}`), replaceNode(amount, `${factors} * ${lanes}`)];
}

/** Loops of a block over the same elements, one behind the other, that only change together. */
export function sideBySide(
  view: KernelView,
  loops: readonly (Stride & { readonly loop: SyntaxNode })[],
): readonly Found[] {
  const groups = new Map<string, Stride[]>();
  for (const stride of loops.filter(({ reach }) => reach === "block")) {
    const { start, amount, place, loop } = stride;
    const forms = [start, amount, place.bound].map((node) => formText(formIn(view, node)));
    const key = [loop.parent?.id, ...forms].join();
    groups.set(key, [...(groups.get(key) ?? []), stride]);
  }
  return [...groups.values()].flatMap((group) => changedTogether(view, group) ?? []);
}

function changedTogether(view: KernelView, group: readonly Stride[]): Found | undefined {
  const works = group.map(({ place }) => elementWork(view, place));
  const read = works.flatMap((work) => (isNot(work) ? [] : [work]));
  const [lanes, ...others] = new Set(read.map((work) => work.lanes));
  if (group.length < 2 || read.length < group.length || lanes === undefined || others.length > 0)
    return undefined;
  const apart = read.find((work) =>
    handsOn(
      view,
      work,
      read.filter((each) => each !== work),
    ),
  );
  if (apart !== undefined) return undefined;
  const [first, ...along] = group.map((stride, place) => ({
    work: at(read, place),
    edits: (count: number) => stepsOf(stride, count),
  }));
  return first && { ...first, along };
}
