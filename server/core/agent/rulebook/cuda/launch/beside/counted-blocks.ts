import { calledFunctions, declaredName } from "../../../../../language/cuda/body/threads";
import { partsOf } from "../../../../../language/query";
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
  const grid = writtenGrid(launch.call);
  const written = writtenBlock(view);
  const list = view.kernel.definition.descendantsOfType("parameter_list")[0];
  const given = launch.call.childForFieldName("arguments");
  if (grid === undefined || written === undefined || list === undefined || given === null)
    return not("launch", "the launch cannot be read", launch.call);
  const passed = partsOf(given).map(({ text }) => text);
  if (passed.length !== partsOf(list).length)
    return not("launch", "the launch leaves a parameter to its default", launch.call);
  const [blocks] = extentsOf(grid, launch);
  const across = gridEdits(input, view, ([x, y, z]) => [
    `(${x} + ${each - 1}) / ${each}`,
    ...([y, z] as const),
  ]);
  if (isNot(across)) return across;
  const parameters = [...partsOf(list).map(({ text }) => text), `int ${count}`];
  const number = /^\d+$|^[A-Za-z_]\w*$/.test(blocks) ? blocks : `static_cast<int>(${blocks})`;
  return [
    ...across,
    replaceNode(written, threads),
    replaceNode(given, `(${[...passed, number].join(", ")})`),
    replaceNode(list, `(${parameters.join(", ")})`),
  ];
}
