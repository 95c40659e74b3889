import { freshName } from "../../edits";
import { factorOf } from "../launch/grid-edit";
import { type KernelView, nothingOf } from "../kernel";
import type { PointSpace } from "../points/point-space";
import { plainType, type WalkNames } from "../points/tile-walk";
import type { SharedOperand, StagedLoop } from "./staged-loop";

/** Names of a slice: its first turn, the place of a turn in it, and which element a thread stages. */
export interface StagingNames extends WalkNames {
  readonly first: string;
  readonly depth: string;
  readonly element: string;
  readonly part: string;
}

interface Block {
  readonly view: KernelView;
  readonly space: PointSpace;
  readonly loop: StagedLoop;
  readonly plan: { readonly threads: number; readonly deep: number };
  readonly names: StagingNames;
}

interface Staging {
  readonly operand: SharedOperand;
  readonly tile: string;
  /** Points of the tile along the operand's axis. */
  readonly length: number;
  /** The loop's variable stays below it. */
  readonly end: string;
}

/** Lines in which the block fills the tile of one operand for a slice of turns. */
export function stagingLines(block: Block, staging: Staging): readonly string[] {
  const { names, plan } = block;
  const { operand, length } = staging;
  const { element, depth } = names;
  const [inLoop, place] = operand.alongLoop
    ? [`${element} % ${plan.deep}`, `${element} / ${plan.deep}`]
    : [`${element} / ${length}`, `${element} % ${length}`];
  const times = (length * plan.deep) / plan.threads;
  // A count that the compiler knows lets it load all of a thread's elements before it waits for one.
  const head = Number.isInteger(times)
    ? [
        `for (int ${names.part} = 0; ${names.part} < ${times}; ++${names.part}) {`,
        `  const int ${element} = ${names.thread} + ${names.part} * ${plan.threads};`,
      ]
    : [
        `for (int ${element} = ${names.thread}; ${element} < ${length * plan.deep}; ${element} += ${plan.threads}) {`,
      ];
  return [
    "#pragma unroll",
    ...head,
    `  const int ${depth} = ${inLoop};`,
    ...elementLines(block, staging, place).map((line) => `  ${line}`),
    "}",
  ];
}

function elementLines(
  { view, space, loop, names }: Block,
  { operand, tile, end }: Staging,
  place: string,
): readonly string[] {
  const { axis, text, elementType } = operand;
  const number = space.axes[axis];
  const { variable, type } = loop.loop;
  const other = space.axes[axis === 0 ? 1 : 0].name;
  const locals = [
    ...space.linesFor(axis),
    ...loop.locals.filter((line) => !new RegExp(`\\b${other}\\b`).test(line)),
  ];
  const extent = factorOf(number.extent);
  const at = `${axis === 0 ? names.firstAcross : names.firstDown} + ${place}`;
  const [own, turn] = [plainType(number), type.replace(/\bconst\b/g, "").trim()];
  const [nothing, target] = [nothingOf(view, elementType, "0.0f"), `${tile}[${names.depth}][${place}]`];
  if (text === operand.node.text)
    return [
      `const ${own} ${number.name} = ${at};`,
      `const ${turn} ${variable} = ${names.first} + ${names.depth};`,
      ...locals,
      `${target} = ${number.name} < ${extent} && ${variable} < ${end} ? ${text} : ${nothing};`,
    ];
  // Several loads under one condition become a branch that waits for them: places are kept inside instead.
  const [point, step] = [
    freshName(view.source, `${number.name}Here`),
    freshName(view.source, `${variable}Here`),
  ];
  const value = freshName(view.source, "value");
  return [
    `const ${own} ${point} = ${at};`,
    `const ${turn} ${step} = ${names.first} + ${names.depth};`,
    `const ${own} ${number.name} = ${point} < ${extent} ? ${point} : ${extent} - 1;`,
    `const ${turn} ${variable} = ${step} < ${end} ? ${step} : ${end} - 1;`,
    ...locals,
    `const ${elementType} ${value} = ${text};`,
    `${target} = ${point} < ${extent} && ${step} < ${end} ? ${value} : ${nothing};`,
  ];
}
