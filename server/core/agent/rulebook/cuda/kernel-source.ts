import type { RuleInput, RuleNode } from "../rule";
import { compact } from "../syntax";
import type { NamedConstant } from "./constants";
import { namedConstants } from "./constants";
import type { TemplateArguments } from "./template-arguments";
import { templateArguments } from "./template-arguments";

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
  /** Named constants of the file. */
  readonly constants: ReadonlyMap<string, NamedConstant>;
  /**
   * What template parameters are at the launch: good for an estimate, but a rewrite has to hold for every
   * instance.
   */
  readonly template: TemplateArguments;
}

/**
 * Finds the `__global__` function; undefined when it is not there, stands there twice, or its body does not
 * parse.
 */
export function cudaKernel(input: RuleInput): CudaKernel | undefined {
  const source = input.tree[input.file];
  const root = source === undefined ? undefined : input.parse(input.file, source);
  if (source === undefined || root === undefined) return undefined;
  const name = input.kernel.split("::").at(-1) ?? input.kernel;
  const found = root
    .descendantsOfType("function_definition")
    .filter((node) => declaredName(node) === name && isKernel(node));
  const [definition] = found;
  const body = definition?.childForFieldName("body");
  if (found.length !== 1 || definition === undefined || !body || definition.hasError) return undefined;
  const constants = namedConstants(root);
  return {
    source,
    root,
    definition,
    body,
    parameters: parametersOf(definition),
    constants,
    template: templateArguments(root, definition, name, constants),
  };
}

/** True for a `__global__` function. */
export function isKernel(definition: RuleNode): boolean {
  const body = definition.childForFieldName("body");
  return /\b__global__\b/.test(
    definition.text.slice(0, body === null ? undefined : body.startIndex - definition.startIndex),
  );
}

/** The function's name without namespaces. */
export function declaredName(definition: RuleNode): string | undefined {
  const declarator = definition.descendantsOfType("function_declarator")[0]?.childForFieldName("declarator");
  return declarator?.text.split("::").at(-1);
}

function parametersOf(definition: RuleNode): readonly CudaParameter[] {
  const list = definition.descendantsOfType("function_declarator")[0]?.childForFieldName("parameters");
  return (list?.namedChildren ?? [])
    .filter((node) => node.type === "parameter_declaration")
    .map((node) => {
      const names = node.childForFieldName("declarator")?.descendantsOfType("identifier") ?? [];
      return {
        name: names.at(-1)?.text ?? "",
        type: compact(node.childForFieldName("type")),
        pointer: node.descendantsOfType("pointer_declarator").length > 0,
        constant: node.children.some((child) => child.type === "type_qualifier" && child.text === "const"),
      };
    });
}

const warpLevel =
  /shfl|warp|__(ballot|any_sync|all_sync|activemask|match_|reduce_|uni_sync)|\basm\b|cooperative_groups|\bcg::|\bcub::|BlockReduce|BlockScan|laneid/i;

/**
 * True when what a thread does may depend on which threads share its warp: then threads may not be
 * renumbered. Functions of the file that the kernel calls count.
 */
export function usesWarpLevel(kernel: CudaKernel): boolean {
  return [kernel.body, ...calledFunctions(kernel)].some((node) => warpLevel.test(withoutComments(node.text)));
}

/**
 * True when a function of the same file that the kernel calls, or a macro of the file, looks at the thread's
 * own index.
 */
export function callsReadThreadIndex(kernel: CudaKernel): boolean {
  const macros = kernel.root.descendantsOfType(["preproc_def", "preproc_function_def"]);
  return [...macros, ...calledFunctions(kernel)].some((node) => /\bthreadIdx\b/.test(node.text));
}

/** Functions of the same file that the kernel reaches by calls. */
function calledFunctions(kernel: CudaKernel): readonly RuleNode[] {
  const definitions = kernel.root
    .descendantsOfType("function_definition")
    .filter((node) => node.id !== kernel.definition.id);
  const reached = new Set<RuleNode>();
  const pending: RuleNode[] = [kernel.body];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const names = new Set(
      node
        .descendantsOfType("call_expression")
        .map((call) => compact(call.childForFieldName("function")).split("<")[0]?.split("::").at(-1)),
    );
    for (const definition of definitions) {
      if (reached.has(definition) || !names.has(declaredName(definition))) continue;
      reached.add(definition);
      pending.push(definition);
    }
  }
  return [...reached];
}

function withoutComments(text: string): string {
  return text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "");
}

/** Bytes of the scalar types that rules move about; undefined for any other type. */
export function scalarBytes(type: string): number | undefined {
  const sizes: Readonly<Record<string, number>> = {
    float: 4,
    int: 4,
    unsigned: 4,
    unsignedint: 4,
    uint32_t: 4,
    int32_t: 4,
    double: 8,
    half: 2,
    __half: 2,
    __nv_bfloat16: 2,
    char: 1,
    int8_t: 1,
    uint8_t: 1,
  };
  return sizes[type];
}
