import { comparisonOf } from "../../../../language/cuda/body/loops";
import { type Form, formFrom, sameForm } from "../../../../language/cuda/body/forms";
import { isAssigned, localValues, type LocalValue } from "../../../../language/cuda/body/scope";
import { isInside, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode, type TextEdit } from "../../edits";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { threadsCooperate } from "../elements/element-work";
import { formIn, type KernelView } from "../kernel";
import type { BlockShape } from "../launch/block-shape";
import { extentsOf, factorOf, onlyLaunch, writtenGrid } from "../launch/grid-edit";

const warp = 32;

/**
 * Numbers the columns by y and the rows by x anew where it was the other way round: the grid and the block
 * are turned, and the block gets whole warps along its new first axis. Only for kernels that keep both
 * numbers below a size, and know nothing else of their place.
 */
export function turnedGrid(
  input: RuleInput,
  view: KernelView,
  { sizes: [wide, high, deep] }: BlockShape,
): readonly TextEdit[] | RuleHold {
  const held = threadsCooperate(view, { sums: true });
  if (held !== undefined) return held;
  const [across, down] = [placeAlong(view, "x"), placeAlong(view, "y")];
  if (across === undefined || down === undefined)
    return not("no-pattern", "no two variables are the thread's numbers in the grid", view.line);
  const other = ["threadIdx", "blockIdx", "blockDim", "gridDim"]
    .flatMap((name) => usesOf(view.body, name))
    .find((use) => ![across, down].some(({ value }) => isInside(use, value)) && !alongZ(use.parent?.text));
  if (other !== undefined)
    return not("dependence", `${other.text} is used for more than row and column`, other);
  const loose = [across, down].find(({ name }) => !isGuarded(view, name));
  if (loose !== undefined)
    return not("dependence", `no condition keeps ${loose.name} below a size`, loose.declaration);
  const launch = onlyLaunch(input, view);
  if (isNot(launch)) return launch;
  const configuration = launch.call.children.find(({ type }) => type === "kernel_call_syntax");
  const [grid, block] = [writtenGrid(launch.call), partsOf(configuration)[1]];
  const threads = wide * high;
  if (
    grid === undefined ||
    block === undefined ||
    launch.grid.length < 2 ||
    deep !== 1 ||
    threads % warp !== 0
  )
    return not("launch", "grid and block of the launch cannot be turned", launch.call);
  const rows = threads / warp;
  const [x, y, z] = extentsOf(grid, launch);
  const blocks = [`(${factorOf(y)} * ${high} + ${warp - 1}) / ${warp}`, covering(factorOf(x), wide, rows), z];
  const turned = z === "1" ? blocks.slice(0, 2) : blocks;
  return [
    replaceNode(grid, `dim3(${turned.join(", ")})`),
    replaceNode(block, `dim3(${warp}, ${rows})`),
    replaceNode(across.value, `blockIdx.y * blockDim.y + threadIdx.y${startOf(view, across)}`),
    replaceNode(down.value, `blockIdx.x * blockDim.x + threadIdx.x${startOf(view, down)}`),
  ];
}

/** How many blocks of `size` cover so many of `from`. */
function covering(count: string, from: number, size: number): string {
  if (from % size === 0) return from === size ? count : `${count} * ${from / size}`;
  return `(${count} * ${from} + ${size - 1}) / ${size}`;
}

function alongZ(text: string | undefined): boolean {
  return text !== undefined && /\.z$/.test(text);
}

/** The variable that is the thread's number in the grid along an axis. */
function placeAlong(view: KernelView, axis: "x" | "y"): LocalValue | undefined {
  const wanted = formFrom({ [`blockDim.${axis}*blockIdx.${axis}`]: 1, [`threadIdx.${axis}`]: 1 });
  const place = (value: SyntaxNode): Form => new Map([...formIn(view, value)].filter(([key]) => key !== ""));
  return localValues(view.body).find(
    ({ name, value }) => sameForm(place(value), wanted) && !isAssigned(view.body, name),
  );
}

/** What is added to the thread's number, as text. */
function startOf(view: KernelView, { value }: LocalValue): string {
  const start = formIn(view, value).get("") ?? 0;
  if (start === 0) return "";
  return start > 0 ? ` + ${start}` : ` - ${-start}`;
}

/** True when some condition of the kernel keeps the number below something. */
function isGuarded({ body }: KernelView, name: string): boolean {
  return body.descendantsOfType("binary_expression").some((node) => {
    const compared = comparisonOf(node, name);
    return compared !== undefined && compared.comparison !== "==" && compared.comparison !== "!=";
  });
}
