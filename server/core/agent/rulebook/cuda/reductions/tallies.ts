import { type CudaAccess, cudaAccesses } from "../../../../language/cuda/body/accesses";
import { countedLoops } from "../../../../language/cuda/body/loops";
import { isPure } from "../../../../language/cuda/body/scope";
import { compact, fieldText, isInside, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { loopReach } from "../elements/item-loops";
import type { KernelView } from "../kernel";
import { rowOfThreads } from "../launch/block-shape";
import { elementTypeOf } from "../points/point-space";

/** `atomicAdd(&bins[index], value);`. */
export interface Tally {
  readonly statement: SyntaxNode;
  readonly bins: string;
  readonly index: SyntaxNode;
  readonly value: SyntaxNode;
  readonly type: string;
}

/** The crowded atomics that count in bins, unless an array of theirs is changed in another way as well. */
export function talliesOf(
  view: KernelView,
  atomics: readonly CudaAccess[],
  met: readonly CudaAccess[],
): readonly Tally[] | RuleHold {
  const tallies: Tally[] = [];
  let held: RuleHold | undefined;
  for (const atomic of met) {
    const tally = tallyOf(view, atomic);
    if (isNot(tally)) held ??= tally;
    else tallies.push(tally);
  }
  const other = atomics.find(
    ({ node, parameter }) =>
      fieldText(node, "function") !== "atomicAdd" && tallies.some(({ bins }) => bins === parameter),
  );
  if (other !== undefined)
    return not(
      "dependence",
      `${other.base} is changed by ${fieldText(other.node, "function")} too`,
      other.node,
    );
  return tallies.length === 0 ? (held ?? not("no-pattern", "no atomic counts in bins", view.line)) : tallies;
}

function tallyOf(view: KernelView, { node: call, parameter, base }: CudaAccess): Tally | RuleHold {
  const [address, value, ...more] = partsOf(call.childForFieldName("arguments"));
  const statement = call.parent;
  if (fieldText(call, "function") !== "atomicAdd" || address === undefined || value === undefined)
    return not("no-pattern", "the atomic is no sum", call);
  if (statement?.type !== "expression_statement" || more.length > 0)
    return not("dependence", "what the atomic returns is used", call);
  const index = indexIn(address, base);
  const type = elementTypeOf(view, parameter);
  if (index === undefined || base !== parameter || type === undefined || !isPure(index))
    return not("no-pattern", `${compact(address)} is no element of a parameter`, address);
  const other = cudaAccesses(view.kernel).accesses.find(
    (access) => access.parameter === parameter && !compact(access.node.parent).startsWith("&"),
  );
  return other === undefined
    ? { statement, bins: base, index, value, type }
    : not("dependence", `${base} is used beside the sums`, other.node);
}

/** The index in `&bins[index]` and `bins + index`. */
function indexIn(address: SyntaxNode, base: string): SyntaxNode | undefined {
  const inner = unwrapped(address);
  if (inner.type === "binary_expression" && fieldText(inner, "operator") === "+") {
    const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
    return left?.text === base ? (right ?? undefined) : undefined;
  }
  const element = inner.descendantsOfType("subscript_expression")[0];
  const [index, ...more] = partsOf(element?.childForFieldName("indices"));
  const whole = element !== undefined && /^&\(?$/.test(inner.text.slice(0, inner.text.indexOf(element.text)));
  return whole && fieldText(element, "argument") === base && more.length === 0 ? index : undefined;
}

/** `bins[c]` in `for (c = threadIdx.x; c < n; c += blockDim.x)`. */
export function isOwnColumn(input: RuleInput, view: KernelView, { statement, index }: Tally): boolean {
  const block = rowOfThreads(input, view);
  if (isNot(block)) return false;
  const around = countedLoops(view.body).filter(({ loop }) => isInside(statement, loop));
  return around.some(
    (loop) => loop.variable === index.text && loopReach(view, loop, block.sizes[0]) === "block",
  );
}
