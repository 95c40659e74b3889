import type { BlockShape } from "../launch/block-shape";
import { coefficient, type Form, formFrom, sameForm } from "../../../../language/cuda/body/forms";
import { countedLoops } from "../../../../language/cuda/body/loops";
import { isAssigned, isPure, localValues, type LocalValue } from "../../../../language/cuda/body/scope";
import { compact, fieldText, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { freshName } from "../../edits";
import { formIn, type KernelView } from "../kernel";

/** What numbers the points, and the locals that are nothing else. */
export interface Numbering {
  readonly axes: readonly [NamedAxis, NamedAxis];
  /** The thread's number in the grid, where the points are counted through. */
  readonly flat: { readonly name: string; readonly divisor: string } | undefined;
  /** A loop that takes a thread from one point to the next, with its variable at its start. */
  readonly strip: SyntaxNode | undefined;
}

export interface NamedAxis {
  readonly name: string;
  readonly type: string;
  /** The extent that the grid gives, where no condition names another one. */
  readonly launched: string;
  /** The number of the first point. */
  readonly start: number;
}

/** Two variables, each the thread's number along one axis of the grid. */
export function planeOf(view: KernelView, block: BlockShape["sizes"]): Numbering | undefined {
  return planeBy(view, block, ["x", "y"]);
}

/** The same where the blocks along one axis of the grid have their threads along the other one. */
export function turnedPlane(view: KernelView, block: BlockShape["sizes"]): Numbering | undefined {
  return planeBy(view, block, ["y", "x"]);
}

/** `blocks`: the axes of the grid for the threads along `x` and `y`. */
function planeBy(
  view: KernelView,
  block: BlockShape["sizes"],
  blocks: readonly ["x" | "y", "x" | "y"],
): Numbering | undefined {
  const across = gridIndex(view, { axis: "x", blocks: blocks[0] }, block);
  const down = gridIndex(view, { axis: "y", blocks: blocks[1] }, block);
  if (across === undefined || down === undefined) return undefined;
  const strip = down.strip ?? across.strip;
  const axis = ({ local, side, start }: GridIndex, of: "x" | "y"): NamedAxis => ({
    name: local.name,
    type: typeOf(local),
    launched: `gridDim.${of} * ${side}${start === 0 ? "" : ` + ${start}`}`,
    start,
  });
  return { axes: [axis(across, blocks[0]), axis(down, blocks[1])], flat: undefined, strip };
}

/** One variable that is the thread's number in a grid of one dimension; the points lie in a single row. */
export function lineOf(view: KernelView, block: BlockShape["sizes"]): Numbering | undefined {
  const index = gridIndex(view, { axis: "x", blocks: "x" }, block);
  if (index === undefined || index.strip !== undefined || block[1] !== 1) return undefined;
  const { local, side, start } = index;
  const launched = `gridDim.x * ${side}${start === 0 ? "" : ` + ${start}`}`;
  const across = { name: local.name, type: typeOf(local), launched, start };
  const row = { name: freshName(view.source, "onlyRow"), type: "int", launched: "1", start: 0 };
  return { axes: [across, row], flat: undefined, strip: undefined };
}

interface GridIndex {
  readonly local: LocalValue;
  /** Points of a block along the axis, as text. */
  readonly side: string;
  /** What is added to the thread's number. */
  readonly start: number;
  readonly strip: SyntaxNode | undefined;
}

/**
 * `blockIdx.y * SIDE + threadIdx.y`; a side longer than the block's needs a loop that walks over it. In a
 * square block the thread may be counted along the other axis.
 */
function gridIndex(
  view: KernelView,
  { axis, blocks }: { readonly axis: "x" | "y"; readonly blocks: "x" | "y" },
  [wide, high]: BlockShape["sizes"],
): GridIndex | undefined {
  const size = axis === "x" ? wide : high;
  const block = `blockIdx.${blocks}`;
  const lanes = wide === high ? ["threadIdx.x", "threadIdx.y"] : [`threadIdx.${axis}`];
  const isPlace = (form: Form, start: Readonly<Record<string, number>>): boolean =>
    lanes.some((lane) => sameForm(form, formFrom({ ...start, [lane]: 1 })));
  const sideOf = (local: LocalValue): Omit<GridIndex, "local" | "start"> | undefined => {
    const form = withoutConstant(formIn(view, local.value));
    if (size === 1 && sameForm(form, formFrom({ [block]: 1 }))) return { side: "1", strip: undefined };
    if (isPlace(form, { [`blockDim.${axis}*${block}`]: 1 }))
      return { side: `blockDim.${axis}`, strip: undefined };
    const side = coefficient(form, block);
    if (side < 1 || !isPlace(form, { [block]: side })) return undefined;
    if (side === size) return { side: String(side), strip: undefined };
    const strip = stripOver(view, local.name, { side, size });
    return strip && { side: String(side), strip };
  };
  for (const local of localValues(view.body)) {
    if (isAssigned(view.body, local.name) || local.declaration.parent?.id !== view.body.id) continue;
    const found = sideOf(local);
    const start = coefficient(formIn(view, local.value), "");
    if (found !== undefined && start >= 0) return { local, start, ...found };
  }
  return undefined;
}

/** A form without what is added to it everywhere. */
function withoutConstant(form: Form): Form {
  return new Map([...form].filter(([key]) => key !== ""));
}

/** `for (int k = 0; k < SIDE; k += SIZE)`, the only loop of the kernel. */
function stripOver(
  view: KernelView,
  index: string,
  { side, size }: { readonly side: number; readonly size: number },
): SyntaxNode | undefined {
  const [strip, ...others] = countedLoops(view.body);
  if (strip === undefined || others.length > 0 || strip.variable === index) return undefined;
  const { start, comparison, bound, step } = strip;
  const strides =
    step.operator === "+" && step.amount !== undefined && view.scope.value(step.amount) === size;
  const whole = comparison === "<" && view.scope.value(start) === 0 && view.scope.value(bound) === side;
  return strides && whole ? strip.loop : undefined;
}

/** `row = index / n` and `column = index % n` of the thread's number in a grid of one dimension. */
export function flatPlane(view: KernelView, block: BlockShape["sizes"]): Numbering | undefined {
  const index = gridIndex(view, { axis: "x", blocks: "x" }, block);
  if (index === undefined || index.strip !== undefined || index.start !== 0 || block[1] !== 1)
    return undefined;
  const { name } = index.local;
  const parts = localValues(view.body).flatMap((local) => {
    const value = unwrapped(local.value);
    const operator = fieldText(value, "operator");
    const [left, right] = [value.childForFieldName("left"), value.childForFieldName("right")];
    const divides = operator === "/" || operator === "%";
    return divides && left !== null && right !== null && compact(unwrapped(left)) === name
      ? [{ local, operator, right }]
      : [];
  });
  const row = parts.find(({ operator }) => operator === "/");
  const column = parts.find(({ operator }) => operator === "%");
  if (row === undefined || column === undefined || parts.length > 2) return undefined;
  if (!sameForm(formIn(view, row.right), formIn(view, column.right)) || !isPure(row.right)) return undefined;
  const divisor = factorText(row.right);
  const launched = `(gridDim.x * blockDim.x + ${divisor} - 1) / ${divisor}`;
  return {
    axes: [
      { name: column.local.name, type: typeOf(column.local), launched: divisor, start: 0 },
      { name: row.local.name, type: typeOf(row.local), launched, start: 0 },
    ],
    flat: { name, divisor },
    strip: undefined,
  };
}

function typeOf({ declaration }: LocalValue): string {
  const type = fieldText(declaration, "type");
  return type === "auto" ? "int" : type;
}

export function factorText(node: SyntaxNode): string {
  return node.type === "identifier" || node.type === "number_literal" ? node.text : `(${node.text})`;
}
