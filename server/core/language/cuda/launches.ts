import type { LaunchSite } from "../facts";
import { collapse, enclosing, fieldText, partsOf, rangeOf } from "../query";
import type { SyntaxNode } from "../tree";
import { type Constants, constantNamed, constantValue } from "./constants";
import { type Dimension, dimensionsOf, hostScope, neededConstants } from "./host-scope";
import { fileParts } from "./definitions";
import { lastName, parametersOf } from "./kernels";

/** A place where a kernel is launched, with the nodes behind its facts. */
export interface CudaLaunch {
  readonly site: LaunchSite;
  readonly call: SyntaxNode;
  /** The function that launches. */
  readonly host: SyntaxNode | undefined;
  /** One to three extents, x first; empty when they cannot be read. */
  readonly grid: readonly Dimension[];
  readonly block: readonly Dimension[];
  /** Expressions of the template arguments. */
  readonly templateArguments: readonly SyntaxNode[];
  /** What the names in these expressions stand for. */
  readonly names: Constants;
}

/** A launch as written, before any name in it is followed. */
interface WrittenLaunch {
  readonly call: SyntaxNode;
  readonly kernel: SyntaxNode;
  readonly grid: SyntaxNode | undefined;
  readonly block: SyntaxNode | undefined;
  readonly shared: SyntaxNode | undefined;
  readonly passed: readonly string[];
}

/** Functions of the CUDA runtime that launch what their first argument names. */
const launchers = /^(::)?cudaLaunch(Cooperative)?Kernel$/;

/** Every `kernel<<<…>>>(…)` and `cudaLaunchKernel(kernel, …)` of a CUDA text, in source order. */
export function cudaLaunches(root: SyntaxNode, constants: Constants): readonly CudaLaunch[] {
  return writtenLaunches(root).map((launch) => launchOf(launch, { root, constants }));
}

/** The calls of `cudaLaunches` in a part of a file with the kernel's name, nothing in them followed. */
export function launchCalls(
  part: SyntaxNode,
): readonly { readonly call: SyntaxNode; readonly kernel: string }[] {
  return launchesIn(part).map(({ call, kernel }) => ({ call, kernel: lastName(kernel) }));
}

function writtenLaunches(root: SyntaxNode): readonly WrittenLaunch[] {
  return fileParts(root).filter(mayLaunch).flatMap(launchesIn);
}

function launchesIn(part: SyntaxNode): readonly WrittenLaunch[] {
  return part.descendantsOfType("call_expression").flatMap((call) => chevrons(call) ?? byRuntime(call) ?? []);
}

/** To look at each call of a large file costs ten times as much. */
export function mayLaunch({ text }: Pick<SyntaxNode, "text">): boolean {
  return text.includes("<<<") || text.includes("cudaLaunch");
}

function chevrons(call: SyntaxNode): WrittenLaunch | undefined {
  const configuration = call.children.find((child) => child.type === "kernel_call_syntax");
  const kernel = call.childForFieldName("function");
  if (configuration === undefined || kernel === null) return undefined;
  const [grid, block, shared] = partsOf(configuration);
  const passed = partsOf(call.childForFieldName("arguments")).map((node) => collapse(node.text));
  return { call, kernel, grid, block, shared, passed };
}

/** `cudaLaunchKernel((const void*)kernel, grid, block, args, shared, stream)`. */
function byRuntime(call: SyntaxNode): WrittenLaunch | undefined {
  if (!launchers.test(fieldText(call, "function"))) return undefined;
  const [named, grid, block, list, shared] = partsOf(call.childForFieldName("arguments"));
  const kernel = named === undefined ? undefined : kernelIn(named);
  return kernel === undefined
    ? undefined
    : { call, kernel, grid, block, shared, passed: addressesIn(call, list) };
}

/** The kernel's name behind casts and `&`. */
function kernelIn(node: SyntaxNode): SyntaxNode | undefined {
  const names = node.descendantsOfType(["template_function", "qualified_identifier", "identifier"]);
  return names.find(
    (name) =>
      node.type === name.type || enclosing(name, "type_descriptor", "template_function") === undefined,
  );
}

/** The variables in `void* args[] = {&x, &n};`. */
function addressesIn(call: SyntaxNode, list: SyntaxNode | undefined): readonly string[] {
  const declarators = enclosing(call, "function_definition")?.descendantsOfType("init_declarator") ?? [];
  const declared = declarators.find(
    (node) => node.childForFieldName("declarator")?.descendantsOfType("identifier")[0]?.text === list?.text,
  );
  return partsOf(declared?.childForFieldName("value")).map(
    (node) => node.descendantsOfType("identifier").at(-1)?.text ?? collapse(node.text),
  );
}

function launchOf(
  written: WrittenLaunch,
  file: { readonly root: SyntaxNode; readonly constants: Constants },
): CudaLaunch {
  const { call, kernel, passed } = written;
  const host = enclosing(call, "function_definition");
  const declarator = host?.descendantsOfType("function_declarator")[0];
  const hostName = declarator?.childForFieldName("declarator");
  const { scalars, dimensions } = hostScope(host, file, call);
  const follow = (node: SyntaxNode | undefined): readonly Dimension[] =>
    node === undefined
      ? []
      : (dimensions.get(node.text) ?? dimensionsOf(node, true) ?? [{ text: collapse(node.text), node }]);
  const [grid, block] = [follow(written.grid), follow(written.block)];
  const parameters = declarator === undefined ? [] : parametersOf(declarator);
  const hostParameters = parameters.map((parameter) => parameter.name);
  const names = new Map([...scalars].filter(([name]) => !hostParameters.includes(name)));
  for (const constant of hostName && declarator ? fixedParameters(file, declarator, lastName(hostName)) : [])
    if (!passed.includes(constant.name)) names.set(constant.name, constant);
  const templates = templateArgumentsOf(kernel);
  const shared =
    written.shared === undefined || written.shared.text === "0" ? [] : [collapse(written.shared.text)];
  const expressions = [...[...grid, ...block].map(({ text }) => text), ...shared, ...passed];
  const site: LaunchSite = {
    kernel: lastName(kernel),
    dialect: "cuda",
    grid: grid.map(({ text }) => text),
    block: block.map(({ text }) => text),
    ...(shared[0] === undefined ? {} : { shared: shared[0] }),
    arguments: passed,
    keywords: {},
    templateArguments: templates.map((node) => collapse(node.text)),
    ...(hostName ? { hostFunction: lastName(hostName) } : {}),
    hostParameters,
    range: rangeOf(call),
    constants: neededConstants(expressions, (name) => constantNamed(names, name)?.text),
  };
  return { site, call, host, grid, block, templateArguments: templates, names };
}

function templateArgumentsOf(callee: SyntaxNode): readonly SyntaxNode[] {
  const lists = callee
    .descendantsOfType("template_argument_list")
    .filter((list) => list.endIndex === callee.endIndex);
  return partsOf(lists[0]);
}

/**
 * Parameters of a host function that are the same constant at each of its calls in the file, or that have a
 * default and are never passed: the block size that a launcher takes.
 */
function fixedParameters(
  { root, constants }: { readonly root: SyntaxNode; readonly constants: Constants },
  declarator: SyntaxNode,
  host: string,
) {
  const calls = root.descendantsOfType("call_expression").filter((call) => {
    const callee = call.childForFieldName("function");
    return callee !== null && lastName(callee) === host && chevrons(call) === undefined;
  });
  return partsOf(declarator.childForFieldName("parameters")).flatMap((parameter, index) => {
    const name = parameter.childForFieldName("declarator")?.text;
    const otherwise = parameter.childForFieldName("default_value");
    const given = calls.map((call) => partsOf(call.childForFieldName("arguments"))[index] ?? otherwise);
    const [node] = given.length === 0 ? [otherwise] : given;
    if (name === undefined || !node || given.some((each) => each?.text !== node.text)) return [];
    const text = collapse(node.text);
    return constantValue(text, constants) === undefined ? [] : [{ name, text, node }];
  });
}
