import { changes } from "../../../../language/cuda/body/scope";
import type { SyntaxNode } from "../../../../language/tree";
import type { KernelView } from "../kernel";
import type { PointSpace } from "../points/point-space";

/** What is the same for all threads of a block at a place of the kernel. */
export interface Shared {
  readonly view: KernelView;
  readonly space: PointSpace;
  /** Variables of loops that all threads go through together. */
  readonly together: readonly string[];
}

/** True for an expression of parameters, constants and loops that all threads go through together. */
export function isTheSame(shared: Shared, node: SyntaxNode): boolean {
  const { space } = shared;
  const [across] = space.axes;
  if (space.dependsOn(node, across.name) || node.descendantsOfType("subscript_expression").length > 0)
    return false;
  return [...space.form(node).keys()].every((key) => isSameFactor(shared, key));
}

/** The same for the text of a factor, or of a product, in a form. */
export function isSameFactor({ view, together }: Shared, factor: string): boolean {
  const names = [...factor.matchAll(/(?<![\w.])[A-Za-z_]\w*/g)].map(([name]) => name);
  return names.every((name) => together.includes(name) || isKnown(view, name));
}

const given = new Set(["gridDim", "blockDim", "min", "max"]);

function isKnown(view: KernelView, name: string): boolean {
  if (given.has(name)) return true;
  const { facts } = view.kernel;
  const isParameter = facts.parameters.some((each) => each.name === name && !each.pointer);
  const isTemplate = facts.templateParameters.some((each) => each.name === name);
  const isConstant = view.model.constants.has(name);
  const changed = changes(view.body).some(({ target }) => target.text === name);
  return (isParameter || isTemplate || isConstant) && !changed;
}
