import type { DataType, KernelSpec, TensorSpec } from "../../../workload/spec";
import { evaluateSizeExpression } from "../../../workload/size-expression";
import { arraysOf } from "../../../language/cuda/body/arrays";
import { enclosing, fieldText } from "../../../language/query";
import type { SyntaxNode } from "../../../language/tree";
import type { DiagnosisEntry } from "./entry";
import { limitIn } from "./entry";
import type { LineCounters } from "../../../timing/counters";
import { againOf, type Finding, fraction, type Measured, pipes, shareOn, worstLine } from "./measured";
import { loopAround, nodesOn } from "./places";
import { kernelValues } from "./values/kernel-values";

/** Element types that tensor cores multiply faster than anything else does. */
const short: readonly DataType[] = ["float16", "bfloat16", "int8", "uint8"];

/** A matrix product of short elements, told by how much is multiplied, without the tensor cores. */
export function missingTensorCores(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { totals, input } = measured;
  const product = productOf(input.spec, input.sizes);
  if (product === undefined || totals.tensorFlops > 0 || !maySumUp(measured)) return [];
  const floats = Math.max(totals.fp32Flops, totals.fp16Flops) / 2;
  const multiplied = floats > 0 ? floats : totals.threadInstructions / limitIn(entry, "each");
  const fits = multiplied > 0.4 * product.multiplied;
  const worst = worstLine(
    measured.lines,
    (line) => line.fp32Instructions + line.fp16Instructions + line.integerInstructions,
  );
  if (!fits || worst === undefined || product.reuse < limitIn(entry, "reuse")) return [];
  const share = shareOn(measured, [...pipes, "l1", "l2", "shared", "latency"], limitIn(entry, "saved"));
  return [{ line: worst.line, share, blanks: { value: worst.instructions } }];
}

/** Whether anything of the kernel may sum up products: a loop, a function that may have one, or `tl.sum`. */
function maySumUp(measured: Measured): boolean {
  const body = kernelValues(measured)?.body;
  if (body === undefined) return true;
  const loops = body.descendantsOfType([
    "for_statement",
    "while_statement",
    "do_statement",
    "call_expression",
  ]);
  return loops.length > 0 || /\b(?:dot|sum|reduce|cumsum|associative_scan)\w*\(/.test(body.text);
}

/** Tiles in shared memory of which each thread loads both operands anew for every multiplication. */
export function smallTile(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { totals } = measured;
  const lines = measured.lines.filter(
    (line) => line.sharedLoadRequests > 0 && line.fp32Instructions + line.fp16Instructions > 0,
  );
  const worst = worstLine(lines, ({ sharedLoadRequests }) => sharedLoadRequests);
  if (worst === undefined || !readsTwoArrays(measured, worst.line)) return [];
  const arithmetic = worst.fp32Instructions + worst.fp16Instructions;
  const each = worst.sharedLoadRequests / arithmetic;
  if (each < limitIn(entry, "loadsEach") || arithmetic < measured.warps * limitIn(entry, "turns")) return [];
  const part = fraction(worst.sharedLoadRequests, totals.sharedLoadRequests);
  const share = shareOn(measured, ["shared", "issue", "l2", "latency"], part * limitIn(entry, "saved"));
  return [
    {
      line: worst.line,
      share,
      blanks: { value: worst.sharedLoadRequests, ideal: Math.round(arithmetic / 4) },
    },
  ];
}

/** Products in tiles whose operands many blocks load anew: each block makes a small part of the result. */
export function smallProductTile(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { totals, lines, input } = measured;
  if (totals.tensorFlops === 0 && productOf(input.spec, input.sizes) === undefined) return [];
  if (totals.tensorFlops === 0 && totals.sharedLoadRequests === 0) return [];
  const again = ({ loadReuse }: LineCounters): number => againOf(loadReuse).others;
  const worst = worstLine(lines, again);
  const first = Math.max(1, totals.loadReuse?.first ?? totals.globalLoadSectors);
  const times = totals.globalLoadSectors / first;
  if (worst === undefined || times < limitIn(entry, "times")) return [];
  const part = fraction(
    againOf(totals.loadReuse).others,
    totals.globalLoadSectors + totals.globalStoreSectors,
  );
  const share = shareOn(measured, ["l2", "l1", "latency", "dram"], part * limitIn(entry, "saved"));
  return [{ line: worst.line, share, blanks: { times: Math.round(times) } }];
}

/** True where the loop around a line multiplies what it reads of two arrays: a sum over one is no product. */
function readsTwoArrays({ view }: Measured, line: number): boolean {
  if (view === undefined) return true;
  const loop = loopAround(view, line);
  const types = ["subscript_expression", "call_expression"];
  const nodes = [...(loop?.descendantsOfType(types) ?? []), ...nodesOn(view, line, types)];
  const shared = arraysOf(view.body).filter(({ storage }) => storage !== "local");
  // A call may read elements by itself: `tile.at(row, k)`.
  const names = nodes
    .map((node) => fieldText(node, node.type === types[0] ? "argument" : "function").replace(/\[.*/s, ""))
    .filter((name) => !/^__\w+$|^f?(?:min|max|fma)f?$/.test(name));
  const own = names.filter((name) => shared.some((array) => array.name === name));
  return multiplies(loop ?? view.body) && new Set(own.length > 0 ? own : names).size > 1;
}

/** True for a product that is not part of an index, or a function that may make one. */
function multiplies(loop: SyntaxNode): boolean {
  const products = loop.descendantsOfType(["binary_expression", "assignment_expression"]);
  return (
    products.some((node) => {
      const isProduct = /^\*=?$/.test(fieldText(node, "operator"));
      return isProduct && enclosing(node, "subscript_expression") === undefined;
    }) ||
    loop.descendantsOfType("call_expression").some((call) => !/^__sync/.test(fieldText(call, "function")))
  );
}

interface Product {
  readonly multiplied: number;
  /** How often each element of the greatest matrix is used. */
  readonly reuse: number;
}

/** Two inputs of short elements and an output that are those of a product, by their sizes. */
function productOf(
  { inputs, outputs }: KernelSpec,
  sizes: Readonly<Record<string, number>>,
): Product | undefined {
  const factors = Object.values(inputs)
    .filter(({ dtype, shape }) => short.includes(dtype) && shape.length > 1)
    .map((tensor) => elementsIn(tensor, sizes))
    .sort((a, b) => b - a);
  const results = Object.values(outputs).map((tensor) => elementsIn(tensor, sizes));
  const [first, second] = factors;
  const [result] = results.sort((a, b) => b - a);
  if (first === undefined || second === undefined || result === undefined) return undefined;
  // Sizes m × k, k × n and m × n: their product is the square of m × n × k.
  const multiplied = Math.sqrt(first * second * result);
  return { multiplied, reuse: multiplied / Math.max(first, second, result) };
}

function elementsIn({ shape }: TensorSpec, sizes: Readonly<Record<string, number>>): number {
  return shape.reduce<number>((product, size) => {
    if (typeof size === "number") return product * size;
    const outcome = evaluateSizeExpression(size, sizes);
    return product * (outcome.ok ? outcome.value : 1);
  }, 1);
}
