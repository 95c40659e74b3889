import { compact, usesOf } from "../../query";
import type { SyntaxNode } from "../../tree";
import type { CudaKernel } from "../kernels";
import type { CudaModel } from "../model";
import { lastName } from "../kernels";

/** A place in the source, with what stands there. */
export interface Mention {
  /** One-based. */
  readonly line: number;
  readonly text: string;
}

const warpLevel =
  /\w*(?:shfl|warp)\w*|__(?:ballot|any_sync|all_sync|activemask|match_|reduce_|uni_sync)\w*|\basm\b|cooperative_groups|\b(?:cg|cub|wmma)::\w*|\w*BlockReduce|\w*BlockScan|laneid|lane_id/i;
const blockLevel = /__shared__|__syncthreads\w*|\batomic\w+/;

/**
 * The first thing by which what a thread does may depend on which threads share its warp: then threads may
 * not be renumbered. Functions of the file that the kernel calls count.
 */
export function warpLevelUse(model: CudaModel, kernel: CudaKernel): Mention | undefined {
  return firstOf([kernel.body, ...calledFunctions(model, kernel)], warpLevel);
}

/**
 * The first thing by which the threads of a block have to do with each other; what `apart` holds is no such
 * thing.
 */
export function cooperation(
  model: CudaModel,
  kernel: CudaKernel,
  apart: readonly SyntaxNode[] = [],
): Mention | undefined {
  const warp = warpLevelUse(model, kernel);
  if (warp !== undefined) return warp;
  const { startIndex, startPosition } = kernel.body;
  let { text } = kernel.body;
  for (const node of apart) {
    const [start, end] = [node.startIndex - startIndex, node.endIndex - startIndex];
    text = `${text.slice(0, start)}${node.text.replace(/[^\n]/g, " ")}${text.slice(end)}`;
  }
  return mentionIn({ text, startPosition }, blockLevel);
}

/** The same of statements of the kernel alone, and of the functions that they call. */
export function cooperationIn(
  model: CudaModel,
  kernel: CudaKernel,
  statements: readonly SyntaxNode[],
): Mention | undefined {
  const called = calledFunctions(model, kernel, statements);
  return firstOf([...statements, ...called], warpLevel) ?? firstOf([...statements, ...called], blockLevel);
}

/** A function that the kernel calls, or a macro of the file, that looks at the thread's own index. */
export function hiddenThreadIndex(model: CudaModel, kernel: CudaKernel): Mention | undefined {
  const macros = model.root.descendantsOfType(["preproc_def", "preproc_function_def"]);
  return firstOf([...macros, ...calledFunctions(model, kernel)], /\bthreadIdx\b/);
}

/** Functions of the same file that the kernel, or some statements of it, reach by calls. */
export function calledFunctions(
  model: CudaModel,
  kernel: CudaKernel,
  from: readonly SyntaxNode[] = [kernel.body],
): readonly SyntaxNode[] {
  const definitions = model.root
    .descendantsOfType("function_definition")
    .filter((node) => node.id !== kernel.definition.id);
  const reached = new Set<SyntaxNode>();
  const pending: SyntaxNode[] = [...from];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const names = calledNames(node);
    for (const definition of definitions) {
      if (reached.has(definition) || !names.has(declaredName(definition))) continue;
      reached.add(definition);
      pending.push(definition);
    }
  }
  return [...reached];
}

/**
 * Names of the functions that a node may call: those of its calls, the constructors of the types that it
 * names, and the operators that structures may have (`grade(x)` of an object is `operator()`).
 */
function calledNames(node: SyntaxNode): ReadonlySet<string | undefined> {
  const calls = node
    .descendantsOfType("call_expression")
    .map((call) => nameOfCallee(compact(call.childForFieldName("function"))));
  const types = node.descendantsOfType("type_identifier").map(({ text }) => text);
  const operators = node
    .descendantsOfType(["binary_expression", "unary_expression", "assignment_expression"])
    .map((act) => `operator${act.childForFieldName("operator")?.text ?? ""}`);
  return new Set([...calls, ...types, ...operators, ...(calls.length === 0 ? [] : ["operator()"])]);
}

/** The last name of `space::function<T>`, `object.method` and `object->method`. */
function nameOfCallee(text: string): string | undefined {
  return text
    .split("<")[0]
    ?.split(/::|\.|->/)
    .at(-1);
}

/** The name of a function definition without namespaces. */
export function declaredName(definition: SyntaxNode): string | undefined {
  const name = definition.descendantsOfType("function_declarator")[0]?.childForFieldName("declarator");
  return name ? lastName(name) : undefined;
}

/** The first match in a node's text, comments left out. */
export function mentionIn(
  node: Pick<SyntaxNode, "text" | "startPosition">,
  pattern: RegExp,
): Mention | undefined {
  const text = node.text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, " "));
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const before = text.slice(0, match.index).split("\n").length - 1;
  return { line: node.startPosition.row + 1 + before, text: match[0] };
}

function firstOf(nodes: readonly SyntaxNode[], pattern: RegExp): Mention | undefined {
  for (const node of nodes) {
    const mention = mentionIn(node, pattern);
    if (mention !== undefined) return mention;
  }
  return undefined;
}

/**
 * Tells of an expression whether its value may differ between threads of different `threadIdx.AXIS`: it reads
 * the axis, a macro that does, or a variable that is assigned, anywhere in the body, from such an expression.
 * Flow is ignored, which errs on the side of "may differ".
 */
export function variesWithThread(
  model: CudaModel,
  body: SyntaxNode,
  axis: "x" | "y" | "z",
): (node: SyntaxNode) => boolean {
  const reads = new RegExp(`\\bthreadIdx\\s*\\.\\s*${axis}\\b`);
  const macros = [...model.constants.values()].filter(({ text }) => reads.test(text));
  const varying = new Set(macros.map(({ name }) => name));
  const key = variableKeys(body);
  const varies = (node: SyntaxNode): boolean =>
    reads.test(node.text) || node.descendantsOfType("identifier").some((name) => varying.has(key(name)));
  const assignments = body.descendantsOfType(["init_declarator", "assignment_expression"]).flatMap((node) => {
    const target = node.childForFieldName("declarator") ?? node.childForFieldName("left");
    const value = node.childForFieldName("value") ?? node.childForFieldName("right");
    const name =
      target?.type === "subscript_expression" ? undefined : target?.descendantsOfType("identifier")[0];
    return name === undefined || value === null ? [] : [{ name: key(name), value }];
  });
  for (let before = -1; before !== varying.size;) {
    before = varying.size;
    for (const { name, value } of assignments) if (varies(value)) varying.add(name);
  }
  return varies;
}

/** Tells variables of one name apart that are declared more than once, such as those of loops. */
function variableKeys(body: SyntaxNode): (name: SyntaxNode) => string {
  const scopes = new Map<string, SyntaxNode[]>();
  for (const declaration of body.descendantsOfType("declaration")) {
    const scope = declaration.parent ?? body;
    for (const declarator of declaration.childrenForFieldName("declarator")) {
      const name = declarator.descendantsOfType("identifier")[0]?.text ?? "";
      scopes.set(name, [...(scopes.get(name) ?? []), scope]);
    }
  }
  return (name) => {
    const own = scopes.get(name.text) ?? [];
    if (own.length < 2) return name.text;
    const around = own.filter(
      ({ startIndex, endIndex }) => startIndex <= name.startIndex && endIndex >= name.endIndex,
    );
    // The innermost scope is the one that begins last.
    const start = Math.max(-1, ...around.map(({ startIndex }) => startIndex));
    return start < 0 ? name.text : `${name.text}@${start}`;
  };
}

/** The `x`, `y` or `z` after every `threadIdx.`; a use in any other way is told apart. */
export function threadAxes(body: SyntaxNode): {
  readonly axes: readonly SyntaxNode[];
  /** A use of threadIdx as a whole. */
  readonly whole: SyntaxNode | undefined;
} {
  const uses = usesOf(body, "threadIdx").map((use) => ({
    use,
    field: use.parent?.type === "field_expression" ? use.parent.childForFieldName("field") : null,
  }));
  return {
    axes: uses.flatMap(({ field }) => field ?? []),
    whole: uses.find(({ field }) => field === null)?.use,
  };
}
