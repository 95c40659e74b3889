import type { CudaAccess } from "../../../../../language/cuda/body/accesses";
import { isAssigned } from "../../../../../language/cuda/body/scope";
import { compact, isInside, partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { formIn } from "../../kernel";
import { elementLoop } from "./element-loop";
import type { Launched, LaunchPair } from "./launch-pair";

/** Memory of the host that two launches alone use: where its pointer or tensor is declared, and its calls. */
export interface Temporary {
  readonly name: string;
  /** The function that makes both launches. */
  readonly host: SyntaxNode;
  /** The block of statements of both launches. */
  readonly block: SyntaxNode;
  readonly declaration: SyntaxNode;
  readonly declarator: SyntaxNode;
  /** Each `cudaMalloc(&array, …)` and `cudaFree(array)`; a tensor needs none. */
  readonly calls: readonly SyntaxNode[];
}

const noMemoryYet = /^(?:nullptr|NULL|0|\{\}|\{nullptr\})$/;
const allocation = /^(?:::)?cuda(?:Malloc|Free)\w*$/;

/**
 * The array as memory that the host uses for nothing but these two launches, its allocation and its end;
 * undefined where something else may see it, or more than a register holds is handed on at once.
 */
export function temporaryOf(pair: LaunchPair): Temporary | undefined {
  return isHandedAtOnce(pair) ? (temporaryPointer(pair) ?? temporaryTensor(pair)) : undefined;
}

/**
 * True where a register can hold what is handed on: one element for each thread, or one for each turn of
 * loops that become one. A loop over several elements leaves but the last one in a register.
 */
function isHandedAtOnce({ first, second, store, loads }: LaunchPair): boolean {
  if (elementLoop(first.view) !== undefined) return true;
  const isSteady = ({ view }: Launched, { indexNode }: CudaAccess): boolean => {
    const keys = indexNode === undefined ? [] : [...formIn(view, indexNode).keys()];
    const names = keys.join(" ").match(/[A-Za-z_]\w*/g) ?? [];
    return names.every((name) => !isAssigned(view.body, name));
  };
  return isSteady(first, store) && loads.every((load) => isSteady(second, load));
}

function temporaryPointer({ own, first, second, array }: LaunchPair): Temporary | undefined {
  const host = own.view.launches[0]?.host;
  const block = own.statement.parent;
  if (host === undefined || block === null || !/^\w+$/.test(array)) return undefined;
  const declared = partsOf(block).flatMap((declaration) =>
    declaration.type === "declaration" ? declaratorsOf(declaration, array) : [],
  );
  const [pointer, ...more] = declared;
  if (pointer === undefined || more.length > 0 || isInMacro(own.view.model.root, array)) return undefined;
  const others = usesOf(host, array).filter(
    (use) => ![first.call, second.call, pointer.declarator].some((node) => isInside(use, node)),
  );
  const calls = others.map(allocationOf);
  if (calls.includes(undefined)) return undefined;
  return { name: array, host, block, ...pointer, calls: calls.flatMap((call) => call ?? []) };
}

const tensorData = /^(\w+)\.(?:mutable_|const_)?data_ptr(?:<[\w:]+>)?\(\)$/;
const newTensor = /^(?:(?:torch|at)::(?:empty|zeros)(?:_like)?|\w+\.new_(?:empty|zeros))\(/;

/** A tensor whose elements nothing but the launches touches, in a block around them or in theirs. */
function temporaryTensor({ own, first, second, array }: LaunchPair): Temporary | undefined {
  const name = tensorData.exec(array)?.[1];
  const host = own.view.launches[0]?.host;
  const block = own.statement.parent;
  if (name === undefined || host === undefined || block === null) return undefined;
  const [tensor, ...more] = blocksAround(block, host)
    .flatMap(partsOf)
    .flatMap((declaration) => {
      if (declaration.type !== "declaration") return [];
      const declarators = declaration.childrenForFieldName("declarator");
      return declarators
        .filter((declarator) => declarator.childForFieldName("declarator")?.text === name)
        .map((declarator) => ({ declaration, declarator }));
    });
  if (tensor === undefined || more.length > 0 || isInMacro(own.view.model.root, name)) return undefined;
  const isNew = newTensor.test(compact(tensor.declarator.childForFieldName("value")));
  const isElsewhere = usesOf(host, name).some(
    (use) => ![first.call, second.call, tensor.declarator].some((node) => isInside(use, node)),
  );
  return isNew && !isElsewhere ? { name, host, block, ...tensor, calls: [] } : undefined;
}

/** A block and the blocks that it stands in, up to the body of the host function. */
function blocksAround(block: SyntaxNode, host: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let node: SyntaxNode | null = block; node !== null && node.id !== host.id; node = node.parent)
    if (node.type === "compound_statement") found.push(node);
  return found;
}

/** The pointer that a declaration makes without memory. */
function declaratorsOf(
  declaration: SyntaxNode,
  name: string,
): readonly Pick<Temporary, "declaration" | "declarator">[] {
  return declaration.childrenForFieldName("declarator").flatMap((declarator) => {
    const isStarted = declarator.type === "init_declarator";
    const pointer = isStarted ? declarator.childForFieldName("declarator") : declarator;
    const value = isStarted ? declarator.childForFieldName("value") : null;
    const isNamed = pointer?.childForFieldName("declarator")?.text === name;
    const isEmpty = value === null || noMemoryYet.test(value.text);
    return pointer?.type === "pointer_declarator" && isNamed && isEmpty ? [{ declaration, declarator }] : [];
  });
}

/** True where a macro of the file says the name, so that its uses are not all to be seen. */
export function isInMacro(root: SyntaxNode, name: string): boolean {
  const word = new RegExp(`\\b${name}\\b`);
  return root
    .descendantsOfType(["preproc_def", "preproc_function_def"])
    .some((macro) => word.test(macro.childForFieldName("value")?.text ?? ""));
}

/** The call of CUDA's runtime whose first argument the use is. */
function allocationOf(use: SyntaxNode): SyntaxNode | undefined {
  for (let node = use.parent; node !== null; node = node.parent) {
    if (node.type !== "call_expression") continue;
    const [target] = partsOf(node.childForFieldName("arguments"));
    const isTarget = target !== undefined && isInside(use, target);
    return isTarget && allocation.test(node.childForFieldName("function")?.text ?? "") ? node : undefined;
  }
  return undefined;
}
