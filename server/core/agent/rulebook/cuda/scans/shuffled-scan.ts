import type { CountedLoop } from "../../../../language/cuda/body/loops";
import { compact } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { freshName, indentOf } from "../../edits";
import type { KernelView } from "../kernel";

/** How two values of a scan become one. */
export type ScanOperator = "sum" | "greatest" | "least";

/** A scan of one value of each thread of a block. */
export interface StepScan {
  readonly loop: CountedLoop;
  readonly array: string;
  readonly type: string;
  /** The element that holds a thread's value before the loop, and its scanned value behind it. */
  readonly element: SyntaxNode;
  readonly operator: ScanOperator;
}

const wait = "__syncthreads();";

/** The scan by shuffles, in each warp and then among the warps. */
export function shuffledScan({ source }: KernelView, scan: StepScan, threads: number): string {
  const { loop, type, element, operator } = scan;
  const word = (wish: string): string => freshName(source, wish);
  const [lane, value, totals, total] = [word("lane"), word("scanned"), word("warpTotals"), word("total")];
  const [offset, below] = [word("offset"), word("below")];
  const warps = threads / 32;
  const steps = (name: string, most: number): readonly string[] => [
    `for (int ${offset} = 1; ${offset} < ${most}; ${offset} *= 2) {`,
    `  const ${type} ${below} = __shfl_up_sync(0xffffffffu, ${name}, ${offset});`,
    `  if (${lane} >= ${offset}) ${combined(operator, name, below)}`,
    "}",
  ];
  const among = [
    `__shared__ ${type} ${totals}[${warps}];`,
    `if (${lane} == 31) ${totals}[threadIdx.x / 32] = ${value};`,
    wait,
    "if (threadIdx.x < 32) {",
    `  ${type} ${total} = ${totals}[${lane} < ${warps} ? ${lane} : 0];`,
    ...steps(total, warps).map((line) => `  ${line}`),
    `  if (${lane} < ${warps}) ${totals}[${lane}] = ${total};`,
    "}",
    wait,
    `if (threadIdx.x >= 32) ${combined(operator, value, `${totals}[threadIdx.x / 32 - 1]`)}`,
  ];
  const lines = [
    ...(beginsWithBarrier(scan) ? [`  ${wait}`] : []),
    `  const int ${lane} = threadIdx.x % 32;`,
    `  ${type} ${value} = ${element.text};`,
    ...steps(value, 32).map((line) => `  ${line}`),
    ...(warps > 1 ? among : []).map((line) => `  ${line}`),
    `  ${element.text} = ${value};`,
    ...(compact(next(loop.loop)) === wait ? [] : [`  ${wait}`]),
  ];
  return ["{", ...lines, "}"].join(`\n${indentOf(source, loop.loop)}`);
}

function combined(operator: ScanOperator, name: string, other: string): string {
  if (operator === "sum") return `${name} += ${other};`;
  return `${name} = ${other} ${operator === "greatest" ? ">" : "<"} ${name} ? ${other} : ${name};`;
}

function next(node: SyntaxNode): SyntaxNode | null {
  return node.nextNamedSibling;
}

/** True where a thread's value may come from another one, right in front of the loop. */
function beginsWithBarrier({ loop, element }: StepScan): boolean {
  const before = loop.loop.previousNamedSibling;
  const stored = before?.namedChildren[0]?.childForFieldName("left");
  if (compact(before) === wait || compact(stored) === compact(element)) return false;
  return true;
}
