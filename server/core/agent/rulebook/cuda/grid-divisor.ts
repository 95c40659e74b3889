import type { TextEdit } from "../edits";
import { replaceNode } from "../edits";
import type { RuleInput, RuleNode } from "../rule";
import { compact, enclosing, operands, unwrapped } from "../syntax";
import { constantValue } from "./constants";
import type { CudaKernel } from "./kernel-source";
import { blockShape, launchSites } from "./launch-site";

/**
 * The number of elements of a block in a one-dimensional grid `(n + BLOCK - 1) / BLOCK` or `ceil_div(n,
 * BLOCK)`.
 */
export interface GridDivisor {
  /** Edits that let a block cover that many times the elements. */
  times(factor: number): readonly TextEdit[];
}

/**
 * Finds the division in the only launch's grid; undefined when the spec states the grid, or it is written in
 * any other way.
 */
export function gridDivisor(input: RuleInput, kernel: CudaKernel): GridDivisor | undefined {
  const { run } = input.spec;
  const block = blockShape(input, kernel);
  const [blockNode] = block?.nodes ?? [];
  const sites = launchSites(kernel, input.kernel.split("::").at(-1) ?? input.kernel);
  const [site] = sites;
  if (
    run.kind !== "launch" ||
    run.launch.grid !== undefined ||
    block === undefined ||
    blockNode === undefined ||
    sites.length !== 1 ||
    site === undefined
  )
    return undefined;
  if (block.sizes[1] !== 1 || block.sizes[2] !== 1) return undefined;
  const grid = site.children.find((child) => child.type === "kernel_call_syntax")?.namedChildren[0];
  const expression = grid === undefined ? undefined : gridExpression(site, grid);
  return expression === undefined ? undefined : divisorOf(expression, blockNode, kernel);
}

/** The expression behind `grid`, `dim3(x)`, `dim3 grid(x);` or `int grid = x;`. */
function gridExpression(site: RuleNode, grid: RuleNode): RuleNode | undefined {
  if (grid.type === "call_expression" && grid.childForFieldName("function")?.text === "dim3")
    return only(grid.childForFieldName("arguments"));
  if (grid.type !== "identifier") return grid;
  const host = enclosing(site, ["function_definition"]);
  const declarators = (host?.descendantsOfType("init_declarator") ?? []).filter(
    (node) => node.childForFieldName("declarator")?.text === grid.text,
  );
  const value = declarators.length === 1 ? declarators[0]?.childForFieldName("value") : undefined;
  const used = (host?.descendantsOfType("identifier") ?? []).filter((node) => node.text === grid.text).length;
  if (!value || used !== 2) return undefined;
  if (value.type === "argument_list") return only(value);
  return value.type === "call_expression" && value.childForFieldName("function")?.text === "dim3"
    ? only(value.childForFieldName("arguments"))
    : value;
}

function only(list: RuleNode | null): RuleNode | undefined {
  return list?.namedChildren.length === 1 ? list.namedChildren[0] : undefined;
}

function divisorOf(expression: RuleNode, block: RuleNode, kernel: CudaKernel): GridDivisor | undefined {
  const inner = unwrapped(expression);
  const same = (node: RuleNode | null | undefined): boolean =>
    node !== null && node !== undefined && compact(node) === compact(block);
  const scaled = (node: RuleNode, factor: number): TextEdit =>
    replaceNode(
      node,
      node.type === "number_literal" ? String(Number(node.text) * factor) : `(${factor} * ${node.text})`,
    );
  if (
    inner.type === "call_expression" &&
    /^(ceil_?div|div_?up|div_?round_?up|cdiv|div_?ceil)$/i.test(
      compact(inner.childForFieldName("function")).split("::").at(-1) ?? "",
    )
  ) {
    const divisor = inner.childForFieldName("arguments")?.namedChildren[1];
    return divisor !== undefined && same(divisor)
      ? { times: (factor) => [scaled(divisor, factor)] }
      : undefined;
  }
  const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
  if (
    inner.type !== "binary_expression" ||
    inner.childForFieldName("operator")?.text !== "/" ||
    left === null ||
    right === null ||
    !same(right)
  )
    return undefined;
  const value = constantValue(block, kernel.constants);
  const rounding = operands(left, "+").find(
    (term) => term.type === "number_literal" && value !== undefined && Number(term.text) === value - 1,
  );
  if (rounding !== undefined && value !== undefined && operands(left, "+").length === 2)
    return { times: (factor) => [replaceNode(rounding, String(value * factor - 1)), scaled(right, factor)] };
  const numerator = unwrapped(left);
  const [sum, one] = [numerator.childForFieldName("left"), numerator.childForFieldName("right")];
  const added =
    numerator.childForFieldName("operator")?.text === "-" && one?.text === "1" && sum !== null
      ? operands(sum, "+").find((term) => same(term))
      : undefined;
  return added !== undefined && sum !== null && operands(sum, "+").length === 2
    ? { times: (factor) => [scaled(added, factor), scaled(right, factor)] }
    : undefined;
}
