import { comparisonOf } from "../../../../language/cuda/body/loops";
import { coefficient, type Form, formFrom, sameForm } from "../../../../language/cuda/body/forms";
import { isAssigned, localValues, type LocalValue } from "../../../../language/cuda/body/scope";
import type { CudaLaunch } from "../../../../language/cuda/launches";
import { enclosing, isInside, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { indentOf, replaceNode, type TextEdit } from "../../edits";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { threadsCooperate } from "../elements/element-work";
import { formIn, type KernelView } from "../kernel";
import type { BlockShape } from "../launch/block-shape";
import { extentsOf, factorOf, onlyLaunch, writtenGrid } from "../launch/grid-edit";

const warp = 32;
const mostThreads = 1024;

/**
 * Numbers the columns by y (or z) and the rows by x anew where it was the other way round: the grid and the
 * block are turned, and the block gets whole warps along its new first axis. Only for kernels that keep both
 * numbers below a size, and know nothing else of their place.
 */
export function turnedGrid(input: RuleInput, view: KernelView, turn: Turn): readonly TextEdit[] | RuleHold {
  const { axis } = turn;
  const held = threadsCooperate(view, { sums: true });
  if (held !== undefined) return held;
  const { sizes } = turn.block;
  const isThin = sizes[axis === "y" ? 1 : 2] === 1;
  const [across, down] = [
    placeAlong(view, "x"),
    placeAlong(view, axis) ?? blockAlong(view, { axis, isThin }),
  ];
  if (across === undefined || down === undefined)
    return not("no-pattern", "no two variables are the thread's numbers in the grid", view.line);
  const third = axis === "y" ? "z" : "y";
  const other = ["threadIdx", "blockIdx", "blockDim", "gridDim"]
    .flatMap((name) => usesOf(view.body, name))
    .find(
      (use) => ![across, down].some(({ value }) => isInside(use, value)) && !isAlong(third, use.parent?.text),
    );
  if (other !== undefined)
    return not("dependence", `${other.text} is used for more than row and column`, other);
  const launch = onlyLaunch(input, view);
  if (isNot(launch)) return launch;
  const guard = isGuarded(view, down.name) ? "" : guardOf(view, { launch, down, axis });
  const loose = isGuarded(view, across.name) ? guard === undefined && down : across;
  if (loose !== false)
    return not("dependence", `no condition keeps ${loose.name} below a size`, loose.declaration);
  const configured = turnedLaunch(launch, turn);
  if (isNot(configured)) return configured;
  return [
    ...configured,
    replaceNode(across.value, `${placeText(axis)}${startOf(view, across)}`),
    replaceNode(down.value, `${placeText("x")}${startOf(view, down)}`),
    { start: down.declaration.endIndex, end: down.declaration.endIndex, text: guard ?? "" },
  ];
}

interface Turn {
  readonly block: BlockShape;
  readonly axis: "y" | "z";
}

/** Grid and block with the axes exchanged. */
function turnedLaunch(launch: CudaLaunch, { block, axis }: Turn): readonly TextEdit[] | RuleHold {
  const [wide, high, deep] = block.sizes;
  const configuration = launch.call.children.find(({ type }) => type === "kernel_call_syntax");
  const [grid, written] = [writtenGrid(launch.call), partsOf(configuration)[1]];
  const own = axis === "y" ? high : deep;
  const rows = rowsOf((wide * own) / warp, axis === "y" ? deep : high);
  if (grid === undefined || written === undefined || launch.grid.length < 2 || !Number.isInteger(rows))
    return not("launch", "grid and block of the launch cannot be turned", launch.call);
  const [x, y, z] = extentsOf(grid, launch);
  const extent = factorOf(axis === "y" ? y : z);
  const first = `(${own === 1 ? extent : `${extent} * ${own}`} + ${warp - 1}) / ${warp}`;
  const second = covering(factorOf(x), wide, rows);
  const blocks = axis === "y" ? [first, second, z] : [first, y, second];
  const threads = axis === "y" ? [warp, rows, deep] : [warp, high, rows];
  return [replaceNode(grid, extentText(blocks)), replaceNode(written, extentText(threads.map(String)))];
}

/** One row a block takes soon more blocks along y or z than a grid may have (65,535): then it has four. */
function rowsOf(rows: number, others: number): number {
  return rows === 1 && warp * 4 * others <= mostThreads ? 4 : rows;
}

/** The extents as a `dim3`; the last one only where it is more than one. */
function extentText(extents: readonly string[]): string {
  return `dim3(${(extents[2] === "1" ? extents.slice(0, 2) : extents).join(", ")})`;
}

function placeText(axis: string): string {
  return `blockIdx.${axis} * blockDim.${axis} + threadIdx.${axis}`;
}

/** How many blocks of `size` cover so many of `from`. */
function covering(count: string, from: number, size: number): string {
  if (from % size === 0) return from === size ? count : `${count} * ${from / size}`;
  return `(${count} * ${from} + ${size - 1}) / ${size}`;
}

function isAlong(axis: string, text: string | undefined): boolean {
  return text !== undefined && text.endsWith(`.${axis}`);
}

/** The variable that is the thread's number in the grid along an axis. */
function placeAlong(view: KernelView, axis: "x" | "y" | "z"): LocalValue | undefined {
  const wanted = formFrom({ [`blockDim.${axis}*blockIdx.${axis}`]: 1, [`threadIdx.${axis}`]: 1 });
  const place = (value: SyntaxNode): Form => new Map([...formIn(view, value)].filter(([key]) => key !== ""));
  return localValues(view.body).find(
    ({ name, value }) => sameForm(place(value), wanted) && !isAssigned(view.body, name),
  );
}

/** The variable that is the number of the block along an axis with one thread in each block. */
function blockAlong(
  view: KernelView,
  { axis, isThin }: { readonly axis: "y" | "z"; readonly isThin: boolean },
): LocalValue | undefined {
  const wanted = formFrom({ [`blockIdx.${axis}`]: 1 });
  return localValues(view.body).find(
    ({ name, value }) => isThin && sameForm(formIn(view, value), wanted) && !isAssigned(view.body, name),
  );
}

/** A condition that ends the threads beyond the grid's old extent, where the launch passes that extent. */
function guardOf(
  view: KernelView,
  {
    launch: { grid, site },
    down,
    axis,
  }: { readonly launch: CudaLaunch; readonly down: LocalValue; readonly axis: "y" | "z" },
): string | undefined {
  const extent = grid[axis === "y" ? 1 : 2]?.text;
  const size = view.kernel.facts.parameters.find(
    ({ name, pointer }, place) =>
      !pointer && site.arguments[place] === extent && !isAssigned(view.body, name),
  );
  const isOwn = down.declaration.parent?.id === view.body.id;
  const isPlain = extent !== undefined && /^\w+$/.test(extent);
  return size === undefined || !isOwn || !isPlain
    ? undefined
    : `\n${indentOf(view.source, down.declaration)}if (${down.name} >= ${size.name}) return;`;
}

/** What is added to the thread's number, as text. */
function startOf(view: KernelView, { value }: LocalValue): string {
  const start = coefficient(formIn(view, value), "");
  if (start === 0) return "";
  return start > 0 ? ` + ${start}` : ` - ${-start}`;
}

/** True when some branch of the kernel keeps the number below something. */
function isGuarded({ body }: KernelView, name: string): boolean {
  return body.descendantsOfType("binary_expression").some((node) => {
    const condition = enclosing(node, "if_statement")?.childForFieldName("condition");
    if (!condition || !isInside(node, condition)) return false;
    const compared = comparisonOf(node, name);
    return compared !== undefined && compared.comparison !== "==" && compared.comparison !== "!=";
  });
}
