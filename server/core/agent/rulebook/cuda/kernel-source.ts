import type { RuleInput, RuleNode } from "../rule";
import { compact } from "../syntax";
import type { NamedConstant } from "./constants";
import { namedConstants } from "./constants";

export interface CudaParameter {
  readonly name: string;
  /** Type without qualifiers and stars: `float`. */
  readonly type: string;
  readonly pointer: boolean;
  readonly constant: boolean;
}

/** The kernel's definition as rules need it. */
export interface CudaKernel {
  readonly source: string;
  readonly root: RuleNode;
  readonly definition: RuleNode;
  readonly body: RuleNode;
  readonly parameters: readonly CudaParameter[];
  readonly constants: ReadonlyMap<string, NamedConstant>;
}

/** Finds the `__global__` function; undefined when it is not there, stands there twice, or its body does not parse. */
export function cudaKernel(input: RuleInput): CudaKernel | undefined {
  const source = input.tree[input.file];
  const root = source === undefined ? undefined : input.parse(input.file, source);
  if (source === undefined || root === undefined) return undefined;
  const name = input.kernel.split("::").at(-1) ?? input.kernel;
  const found = root.descendantsOfType("function_definition").filter((node) => declaredName(node) === name && /\b__global__\b/.test(headOf(node)));
  const [definition] = found;
  const body = definition?.childForFieldName("body");
  if (found.length !== 1 || definition === undefined || !body || definition.hasError) return undefined;
  return { source, root, definition, body, parameters: parametersOf(definition), constants: namedConstants(root) };
}

function headOf(definition: RuleNode): string {
  const body = definition.childForFieldName("body");
  return definition.text.slice(0, body === null ? undefined : body.startIndex - definition.startIndex);
}

function declaredName(definition: RuleNode): string | undefined {
  const declarator = definition.descendantsOfType("function_declarator")[0]?.childForFieldName("declarator");
  return declarator?.text.split("::").at(-1);
}

function parametersOf(definition: RuleNode): readonly CudaParameter[] {
  const list = definition.descendantsOfType("function_declarator")[0]?.childForFieldName("parameters");
  return (list?.namedChildren ?? []).filter((node) => node.type === "parameter_declaration").map((node) => {
    const names = node.childForFieldName("declarator")?.descendantsOfType("identifier") ?? [];
    return {
      name: names.at(-1)?.text ?? "",
      type: compact(node.childForFieldName("type")),
      pointer: node.descendantsOfType("pointer_declarator").length > 0,
      constant: node.children.some((child) => child.type === "type_qualifier" && child.text === "const"),
    };
  });
}

const warpLevel = /__(shfl|ballot|any_sync|all_sync|syncwarp|activemask|match_|reduce_|uni_sync)|\bwarpSize\b|\basm\b|cooperative_groups|\bwmma\b|\bcg::|%laneid|%warpid/;

/** True when what a thread does depends on which threads share its warp: then threads may not be renumbered. */
export function usesWarpLevel(node: RuleNode): boolean {
  return warpLevel.test(node.text);
}

/** True when a function of the same file that the kernel calls, or a macro of the file, looks at the thread's own index. */
export function callsReadThreadIndex(kernel: CudaKernel): boolean {
  if (kernel.root.descendantsOfType(["preproc_def", "preproc_function_def"]).some((node) => /\bthreadIdx\b/.test(node.text))) return true;
  const called = new Set(kernel.body.descendantsOfType("call_expression").map((call) => compact(call.childForFieldName("function")).split("<")[0]));
  return kernel.root.descendantsOfType("function_definition").some((node) => {
    return node.id !== kernel.definition.id && called.has(declaredName(node)) && /\bthreadIdx\b/.test(node.text);
  });
}

/** Bytes of the scalar types that rules move about; undefined for any other type. */
export function scalarBytes(type: string): number | undefined {
  const sizes: Readonly<Record<string, number>> = { float: 4, int: 4, unsigned: 4, unsignedint: 4, uint32_t: 4, int32_t: 4, double: 8, half: 2, __half: 2, __nv_bfloat16: 2, char: 1, int8_t: 1, uint8_t: 1 };
  return sizes[type];
}
