import { type CudaAccess, cudaAccesses } from "../../../../language/cuda/body/accesses";
import { isPure } from "../../../../language/cuda/body/scope";
import { compact, fieldText, lineOf, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { evaluateSizeExpression } from "../../../../workload/size-expression";
import { editedTree, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { fewerBlocks } from "../launch/fewer-blocks";
import { passedArgument } from "../launch/passed-argument";
import { elementTypeOf } from "../points/point-space";
import { onlyExit } from "./early-exit";

/** `atomicAdd(&bins[index], value);`. */
interface Tally {
  readonly statement: SyntaxNode;
  readonly bins: string;
  readonly index: SyntaxNode;
  readonly value: SyntaxNode;
  readonly type: string;
}

/**
 * Lets the threads of a block count in shared memory and add what they found once at the end. Bins beyond
 * those that are kept there are counted in global memory as before, so any number of bins is right.
 */
export const privatizeHistogram = defineRule("cuda-privatize-histogram", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const [atomic, ...others] = cudaAccesses(view.kernel).atomics;
  if (atomic === undefined) return not("no-pattern", "the kernel has no atomics on global memory", view.line);
  const { globalAtomics, globalAtomicPasses: passes } = countsOf(input, atomic.node);
  const crowded = passes / Math.max(1, globalAtomics);
  if (crowded < threshold(entry, "ratio"))
    return not("no-evidence", "few lanes of a warp add to the same bin", atomic.node);
  const tally = tallyOf(view, atomic);
  if (isNot(tally)) return tally;
  const gain = gainOn(input, ["atomics", "latency", "l2"], 1 - 1 / crowded);
  if (others.length > 0) return { ...not("no-pattern", "there are several atomics", view.line), gain };
  const kept = keptBins(input, view, { parameter: atomic.parameter, most: threshold(entry, "binsMost") });
  const found = tallied(view, tally, kept);
  if (isNot(found)) return { ...found, gain };
  const edits = [
    ...found,
    ...fewerBlocks(input, view, { statement: tally.statement, most: threshold(entry, "blocksMost") }),
  ];
  const facts = {
    ...{ file: input.file, line: lineOf(atomic.node), counter: "globalAtomicPasses" as const },
    ...{ value: passes, ideal: globalAtomics },
  };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { bins: String(kept) }),
    evidence: evidenceFor(entry, facts),
    gain,
  };
});

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

/** As many bins as the array has on the shape that was counted, as a power of two. */
function keptBins(
  input: RuleInput,
  view: KernelView,
  { parameter, most }: { readonly parameter: string; readonly most: number },
): number {
  const { spec, sizes } = input;
  const position = view.kernel.facts.parameters.findIndex(({ name }) => name === parameter);
  const argument = passedArgument(input, view, position);
  const array = typeof argument === "string" ? (spec.outputs[argument] ?? spec.inputs[argument]) : undefined;
  const elements = (array?.shape ?? [256]).reduce<number>((product, size) => {
    const value = evaluateSizeExpression(size, sizes);
    return product * (value.ok ? value.value : 1);
  }, 1);
  return Math.min(most, 2 ** Math.ceil(Math.log2(Math.max(32, elements))));
}

function tallied(view: KernelView, tally: Tally, kept: number): readonly TextEdit[] | RuleHold {
  const { source, body } = view;
  const { statement, bins, index, value, type } = tally;
  const shared = /__shared__|__syncthreads|\w*shfl\w*|cooperative_groups/.exec(body.text);
  if (shared !== null) return not("cooperation", `the block works together already (${shared[0]})`, body);
  const exit = onlyExit(view, statement);
  if (isNot(exit)) return exit;
  const [own, bin, thread] = [
    freshName(source, "ownBins"),
    freshName(source, "bin"),
    freshName(source, "own"),
  ];
  const first = partsOf(body)[0] ?? body;
  const indent = indentOf(source, first);
  const walk = `for (int ${thread} = threadIdx.y * blockDim.x + threadIdx.x; ${thread} < ${kept}; ${thread} += blockDim.x * blockDim.y)`;
  const head = [`__shared__ ${type} ${own}[${kept}];`, `${walk} ${own}[${thread}] = 0;`, "__syncthreads();"];
  const condition = fieldText(exit?.childForFieldName("condition"), "value");
  const tail = [
    ...(exit === undefined ? [] : ["}"]),
    "__syncthreads();",
    walk,
    `  if (${own}[${thread}] != 0) atomicAdd(&${bins}[${thread}], ${own}[${thread}]);`,
  ];
  const counted = [
    `{ const int ${bin} = ${index.text};`,
    `if (${bin} >= 0 && ${bin} < ${kept}) atomicAdd(&${own}[${bin}], ${value.text});`,
    `else atomicAdd(&${bins}[${bin}], ${value.text}); }`,
  ];
  const end = body.endIndex - 1;
  return [
    insertBefore(first, `${head.join(`\n${indent}`)}\n${indent}`),
    ...(exit === undefined ? [] : [replaceNode(exit, `if (!(${condition})) {`)]),
    replaceNode(statement, counted.join(" ")),
    { start: end, end, text: `${indent}${tail.join(`\n${indent}`)}\n` },
  ];
}
