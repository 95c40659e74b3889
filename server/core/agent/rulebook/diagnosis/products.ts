import type { DataType, KernelSpec, TensorSpec } from "../../../workload/spec";
import { evaluateSizeExpression } from "../../../workload/size-expression";
import { fieldText } from "../../../language/query";
import type { DiagnosisEntry } from "./entry";
import { limitIn } from "./entry";
import { type Finding, fraction, type Measured, pipes, shareOn, worstLine } from "./measured";
import { loopAround, nodesOn } from "./places";

/** Element types that tensor cores multiply faster than anything else does. */
const short: readonly DataType[] = ["float16", "bfloat16", "int8", "uint8"];

/** A matrix product of short elements, told by how much is multiplied, without the tensor cores. */
export function missingTensorCores(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { totals, input } = measured;
  const product = productOf(input.spec, input.sizes);
  if (product === undefined || totals.tensorFlops > 0) return [];
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

/** True where the loop around a line reads two arrays: a sum over one is no product. */
function readsTwoArrays({ view }: Measured, line: number): boolean {
  if (view === undefined) return true;
  const loop = loopAround(view, line);
  const types = ["subscript_expression", "call_expression"];
  const nodes = [...(loop?.descendantsOfType(types) ?? []), ...nodesOn(view, line, types)];
  // A call may read elements by itself: `tile.at(row, k)`.
  const names = nodes.map((node) => fieldText(node, node.type === types[0] ? "argument" : "function"));
  return new Set(names.map((name) => name.replace(/\[.*/s, ""))).size > 1;
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
