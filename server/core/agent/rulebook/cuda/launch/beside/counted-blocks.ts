import { calledFunctions, declaredName } from "../../../../../language/cuda/body/threads";
import type { CudaLaunch } from "../../../../../language/cuda/launches";
import { partsOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { replaceNode, type TextEdit } from "../../../edits";
import { isNot, not, type RuleHold, type RuleInput } from "../../../rule";
import type { KernelView } from "../../kernel";
import { extentsOf, gridEdits, onlyLaunch, writtenBlock, writtenGrid } from "../grid-edit";

/** Functions that read the thread's or the block's number by themselves, and declarations of the kernel. */
export function numbersElsewhere({ model, kernel }: KernelView): RuleHold | undefined {
  const helper = calledFunctions(model, kernel).find((node) =>
    /\b(?:threadIdx|blockIdx|blockDim|gridDim)\b/.test(node.text),
  );
  if (helper !== undefined)
    return not("dependence", `${declaredName(helper) ?? "a function"} reads the thread's number`, helper);
  const [own, other] = model.root
    .descendantsOfType("function_declarator")
    .filter((node) => declaredName(node) === kernel.facts.name);
  return own !== undefined && other !== undefined
    ? not("fixed-elsewhere", "the kernel is declared in another place as well", other)
    : undefined;
}

/** Blocks that take the places of several of the blocks before. */
interface LargerBlocks {
  /** Blocks of before along x that one takes the place of. */
  readonly each: number;
  /** The block as the launch says it. */
  readonly threads: string;
  /** The new last parameter: how many blocks there were. */
  readonly count: string;
}

/** The only launch with larger blocks, and with how many blocks there were as one more parameter. */
export function countedBlocks(
  input: RuleInput,
  view: KernelView,
  { each, threads, count }: LargerBlocks,
): readonly TextEdit[] | RuleHold {
  const launch = onlyLaunch(input, view);
  if (isNot(launch)) return launch;
  const written = writtenBlock(view);
  const passed = countPassed(view, launch, count);
  if (isNot(passed)) return passed;
  if (written === undefined) return not("launch", "the launch cannot be read", launch.call);
  const across = gridEdits(input, view, ([x, y, z]) => [
    `(${x} + ${each - 1}) / ${each}`,
    ...([y, z] as const),
  ]);
  return isNot(across) ? across : [...across, replaceNode(written, threads), ...passed];
}

/** How many blocks a launch has along x, as the last argument and parameter of the kernel. */
export function countPassed(
  view: KernelView,
  launch: CudaLaunch,
  count: string,
): readonly TextEdit[] | RuleHold {
  const grid = writtenGrid(launch.call);
  const list = view.kernel.definition.descendantsOfType("parameter_list")[0];
  const given = launch.call.childForFieldName("arguments");
  if (grid === undefined || list === undefined || given === null)
    return not("launch", "the launch cannot be read", launch.call);
  const [parameters, passed] = [partsOf(list), partsOf(given)];
  const [lastParameter, lastPassed] = [parameters.at(-1), passed.at(-1)];
  if (passed.length !== parameters.length || lastParameter === undefined || lastPassed === undefined)
    return not("launch", "the launch leaves a parameter to its default", launch.call);
  const [blocks] = extentsOf(grid, launch);
  const number = /^\d+$|^[A-Za-z_]\w*$/.test(blocks) ? blocks : `static_cast<int>(${blocks})`;
  const behind = ({ endIndex }: SyntaxNode, text: string): TextEdit => ({
    ...{ start: endIndex, end: endIndex },
    text: `, ${text}`,
  });
  return [behind(lastPassed, number), behind(lastParameter, `int ${count}`)];
}
