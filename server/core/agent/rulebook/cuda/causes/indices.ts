import { arraysOf } from "../../../../language/cuda/body/arrays";
import { formText } from "../../../../language/cuda/body/forms";
import { variesWithThread } from "../../../../language/cuda/body/threads";
import { constantValue } from "../../../../language/cuda/constants";
import { compact, enclosing, fieldText, isInside } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { countsOf, gainOn } from "../../evidence";
import { not } from "../../rule";
import { threshold } from "../../rule-table";
import { formIn, type KernelView } from "../kernel";
import { namingRule } from "../named";

const whole =
  /^(?:const |unsigned |signed )*(?:int|long|long long|size_t|u?int(?:32|64)_t|unsigned|uint|auto)$/;
const wide = /^(?:const |unsigned |signed )*(?:long|long long|size_t|ptrdiff_t|u?int64_t)(?: int)?$/;

/** Numbers of threads that are taken apart by division by sizes of the launch. */
export const countIndices = namingRule("cuda-count-indices", (input, view, entry) => {
  const varies = variesWithThread(view.model, view.body, "x");
  const divisions = view.body.descendantsOfType("binary_expression").filter((node) => {
    const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
    if (!/^[/%]$/.test(fieldText(node, "operator")) || left === null || right === null) return false;
    return varies(left) && !varies(right) && view.scope.value(right) === undefined && isIndex(node);
  });
  const [first] = divisions;
  if (first === undefined) return not("no-pattern", "no index is divided by a size of the launch", view.line);
  const gain = gainOn(input, ["issue", "integer"], threshold(entry, "share"));
  return { at: first, value: divisions.length, gain };
});

function isIndex(node: SyntaxNode): boolean {
  if (enclosing(node, "subscript_expression") !== undefined) return true;
  const declaration = enclosing(node, "declaration");
  return declaration !== undefined && whole.test(fieldText(declaration, "type"));
}

/** Indices of 64 bits where the sizes fit into 32. */
export const narrowIndex = namingRule("cuda-narrow-index", (input, view, entry) => {
  const varies = variesWithThread(view.model, view.body, "x");
  const found = view.body
    .descendantsOfType("declaration")
    .find(
      (node) => wide.test(fieldText(node, "type")) && node.descendantsOfType("init_declarator").some(varies),
    );
  if (found === undefined) return not("no-pattern", "no index has 64 bits", view.line);
  const value = input.counters.totals.instructions;
  return { at: found, value, gain: gainOn(input, ["issue", "integer"], threshold(entry, "share")) };
});

/** Lanes that part by the parity of their number. */
export const partWarps = namingRule("cuda-part-warps", (input, view, entry) => {
  const varies = variesWithThread(view.model, view.body, "x");
  const found = view.body.descendantsOfType("if_statement").find((node) => {
    const condition = node.childForFieldName("condition");
    const digit = condition !== null && /[%&](?!&)/.test(condition.text.replaceAll("&&", ""));
    return digit && varies(condition) && enclosing(node, "for_statement", "while_statement") === undefined;
  });
  if (found === undefined)
    return not("no-pattern", "no branch depends on a digit of the thread's number", view.line);
  const { divergentBranches: value } = countsOf(input, found);
  if (value === 0) return not("no-evidence", "the lanes do not part there", found);
  return { at: found, value, gain: gainOn(input, ["issue", "special", "fp32"], threshold(entry, "share")) };
});

/** Shared arrays of which each thread touches its own element alone. */
export const dropBarriers = namingRule("cuda-drop-barriers", (input, view, entry) => {
  const value = input.counters.totals.barriers;
  if (value === 0) return not("no-evidence", "no thread waits at a barrier", view.line);
  const shared = arraysOf(view.body).filter(({ storage }) => storage !== "local");
  const [first] = shared;
  if (first === undefined || shared.some(({ escape }) => escape !== undefined))
    return not("no-pattern", "no shared array is private to its threads", view.line);
  const own = (node: SyntaxNode): boolean => formText(formIn(view, node)) === "threadIdx.x";
  const other = shared
    .flatMap(({ accesses }) => accesses)
    .find(({ indices }) => indices.length !== 1 || !indices.every(own));
  if (other !== undefined)
    return not("no-pattern", `${compact(other.node)} is another thread's element`, other.node);
  return {
    at: first.declaration,
    value,
    gain: gainOn(input, ["shared", "issue", "latency"], threshold(entry, "share")),
  };
});

/** A grid of fewer blocks than the GPU has multiprocessors, as a number in the source. */
export const fillGpu = namingRule("cuda-fill-gpu", (_input, view, entry) => {
  const [launch] = view.launches;
  if (launch === undefined) return not("launch", "no launch of the kernel stands in its file", view.line);
  const blocks = blocksOf(launch);
  const most = threshold(entry, "multiprocessors");
  if (blocks === undefined) return not("no-pattern", "the grid follows from the sizes", launch.call);
  if (blocks >= most || isInside(launch.call, view.body))
    return not("no-evidence", `${blocks} blocks give every multiprocessor one`, launch.call);
  return { at: launch.call, value: blocks, ideal: most, gain: 1 - blocks / most };
});

function blocksOf({ grid, names }: KernelView["launches"][number]): number | undefined {
  const sizes = grid.map(({ text }) => constantValue(text, names));
  return sizes.length > 0 && sizes.every((size) => size !== undefined)
    ? sizes.reduce((product, size) => product * size, 1)
    : undefined;
}
