import type { RuleInput, RuleNode } from "../rule";
import { enclosing } from "../syntax";
import { constantValue } from "./constants";
import type { CudaKernel } from "./kernel-source";
import { declaredName, isKernel } from "./kernel-source";

/** Threads of a block in x, y and z, with the nodes that say so (undefined when the spec says it). */
export interface BlockShape {
  readonly sizes: readonly [number, number, number];
  readonly nodes: readonly RuleNode[];
}

/** Calls `kernel<<<…>>>(…)` of this kernel in its own file. */
export function launchSites(kernel: CudaKernel, name: string): readonly RuleNode[] {
  return kernel.root.descendantsOfType("call_expression").filter((call) => {
    const callee = call.childForFieldName("function")?.text.split("<")[0]?.trim().split("::").at(-1);
    return callee === name && call.children.some((child) => child.type === "kernel_call_syntax");
  });
}

/**
 * True when a changed block would not be followed by everything else: the number itself stands in the kernel
 * or in the function that launches it, or the spec fixes the grid.
 */
export function isFixedElsewhere(
  input: RuleInput,
  kernel: CudaKernel,
  value: number,
  holder: RuleNode,
): boolean {
  const { run } = input.spec;
  if (run.kind === "launch" && run.launch.grid !== undefined) return true;
  const literals = new RegExp(`\\b(${value}|${value - 1})[uUlL]*\\b`);
  const hosts = launchSites(kernel, input.kernel.split("::").at(-1) ?? input.kernel).flatMap(
    (site) => enclosing(site, ["function_definition"]) ?? [],
  );
  return [kernel.body, ...hosts].some((node) => {
    const inside = holder.startIndex >= node.startIndex && holder.endIndex <= node.endIndex;
    const text = inside
      ? node.text.slice(0, holder.startIndex - node.startIndex) +
        node.text.slice(holder.endIndex - node.startIndex)
      : node.text;
    return literals.test(text);
  });
}

/**
 * True when another kernel of the file, or its launch, uses the constant or one that is made from it: no one
 * checks what becomes of that kernel.
 */
export function servesOtherKernels(kernel: CudaKernel, constant: string): boolean {
  const names = new Set([constant]);
  for (const { name, valueNode } of kernel.constants.values()) {
    if (valueNode.descendantsOfType("identifier").some((use) => names.has(use.text))) names.add(name);
  }
  const mentions = (node: RuleNode): boolean =>
    node.descendantsOfType(["identifier", "type_identifier"]).some((use) => names.has(use.text));
  const own = launchSites(kernel, declaredName(kernel.definition) ?? "").map((site) => site.id);
  const kernels = kernel.root
    .descendantsOfType("function_definition")
    .filter((node) => node.id !== kernel.definition.id && isKernel(node));
  const launches = kernel.root
    .descendantsOfType("call_expression")
    .filter(
      (call) => !own.includes(call.id) && call.children.some((child) => child.type === "kernel_call_syntax"),
    );
  const hosts = launches.flatMap((site) => enclosing(site, ["function_definition"]) ?? []);
  return [...kernels, ...hosts].some(mentions);
}

/**
 * The block when it is made of constants: from the spec, else from the only launch site. Undefined when it
 * cannot be told.
 */
export function blockShape(input: RuleInput, kernel: CudaKernel): BlockShape | undefined {
  const { run } = input.spec;
  if (run.kind === "launch" && run.launch.block !== undefined) {
    const sizes = run.launch.block.map(Number);
    return sizes.every((size) => Number.isInteger(size) && size > 0)
      ? { sizes: padded(sizes), nodes: [] }
      : undefined;
  }
  const sites = launchSites(kernel, input.kernel.split("::").at(-1) ?? input.kernel);
  const [site] = sites;
  if (sites.length !== 1 || site === undefined) return undefined;
  const block = site.children.find((child) => child.type === "kernel_call_syntax")?.namedChildren[1];
  const nodes = block === undefined ? [] : blockNodes(site, block);
  const sizes = nodes.map((node) => constantValue(node, kernel.constants));
  return nodes.length > 0 && sizes.every((size) => size !== undefined)
    ? { sizes: padded(sizes), nodes }
    : undefined;
}

function padded(sizes: readonly number[]): [number, number, number] {
  return [sizes[0] ?? 1, sizes[1] ?? 1, sizes[2] ?? 1];
}

/**
 * The expressions of a block argument: `256`, `dim3(32, 8)`, or a local `dim3 block(32, 8);` (which the
 * grammar may read as a function).
 */
function blockNodes(site: RuleNode, block: RuleNode): readonly RuleNode[] {
  if (block.type === "call_expression" && block.childForFieldName("function")?.text === "dim3")
    return block.childForFieldName("arguments")?.namedChildren ?? [];
  if (block.type !== "identifier") return [block];
  const host = enclosing(site, ["function_definition"]);
  const declarations = (host?.descendantsOfType("declaration") ?? []).filter(
    (node) => node.childForFieldName("type")?.text === "dim3",
  );
  for (const declaration of declarations) {
    for (const declarator of declaration.childrenForFieldName("declarator")) {
      if (declarator.childForFieldName("declarator")?.text !== block.text) continue;
      const list = declarator.childForFieldName(
        declarator.type === "function_declarator" ? "parameters" : "value",
      );
      if (
        list?.type === "parameter_list" ||
        list?.type === "argument_list" ||
        list?.type === "initializer_list"
      )
        return list.namedChildren;
      return list?.type === "call_expression"
        ? (list.childForFieldName("arguments")?.namedChildren ?? [])
        : [];
    }
  }
  return [block];
}
