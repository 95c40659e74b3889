import type { RuleInput, RuleNode } from "../rule";
import { compact, enclosing, usesOf } from "../syntax";

export interface TritonParameter {
  readonly name: string;
  readonly constexpr: boolean;
}

/** `kernel[grid](…)` with its arguments. */
export interface TritonLaunch {
  readonly call: RuleNode;
  readonly grid: RuleNode;
  /** The Python function that launches. */
  readonly host: RuleNode;
  readonly positional: readonly RuleNode[];
  readonly keywords: ReadonlyMap<string, RuleNode>;
}

export interface TritonKernel {
  readonly source: string;
  readonly root: RuleNode;
  readonly definition: RuleNode;
  readonly body: RuleNode;
  readonly parameters: readonly TritonParameter[];
  readonly launch: TritonLaunch;
}

/** A number at the launch that a rewrite may change: an integer literal, directly or through a local name. */
export interface LaunchConstant {
  readonly value: number;
  /** The literal to replace. */
  readonly holder: RuleNode;
  /** The local name in between, when there is one. */
  readonly local: string | undefined;
}

/**
 * The kernel with its only launch; undefined when it is autotuned, launched from several places, or does not
 * parse.
 */
export function tritonKernel(input: RuleInput): TritonKernel | undefined {
  const source = input.tree[input.file];
  const root = source === undefined ? undefined : input.parse(input.file, source);
  if (source === undefined || root === undefined) return undefined;
  const found = root
    .descendantsOfType("function_definition")
    .filter((node) => node.childForFieldName("name")?.text === input.kernel);
  const [definition] = found;
  const body = definition?.childForFieldName("body");
  const decorators =
    definition?.parent?.type === "decorated_definition"
      ? definition.parent.children.filter((node) => node.type === "decorator").map(compact)
      : [];
  if (
    found.length !== 1 ||
    definition === undefined ||
    !body ||
    definition.hasError ||
    !decorators.some((text) => /^@(triton\.)?jit\b/.test(text)) ||
    decorators.length !== 1
  )
    return undefined;
  const launches = launchesOf(root, input.kernel);
  const [launch] = launches;
  return launches.length === 1 && launch !== undefined
    ? { source, root, definition, body, parameters: parametersOf(definition), launch }
    : undefined;
}

function parametersOf(definition: RuleNode): readonly TritonParameter[] {
  return (definition.childForFieldName("parameters")?.namedChildren ?? [])
    .filter((node) => node.type !== "comment")
    .map((node) => {
      const name =
        node.type === "identifier"
          ? node.text
          : ((node.childForFieldName("name") ?? node.namedChildren[0])?.text ?? "");
      return { name, constexpr: /constexpr$/.test(compact(node.childForFieldName("type"))) };
    });
}

function launchesOf(root: RuleNode, kernel: string): readonly TritonLaunch[] {
  return root.descendantsOfType("call").flatMap((call) => {
    const callee = call.childForFieldName("function");
    const host = enclosing(call, ["function_definition"]);
    if (
      callee?.type !== "subscript" ||
      callee.childForFieldName("value")?.text !== kernel ||
      host === undefined
    )
      return [];
    const grid = callee.childForFieldName("subscript");
    const args = (call.childForFieldName("arguments")?.namedChildren ?? []).filter(
      (node) => node.type !== "comment",
    );
    if (grid === null || args.some((node) => /splat/.test(node.type))) return [];
    const keywords = new Map(
      args
        .filter((node) => node.type === "keyword_argument")
        .flatMap((node) => {
          const [name, value] = [node.childForFieldName("name"), node.childForFieldName("value")];
          return name === null || value === null ? [] : [[name.text, value] as const];
        }),
    );
    return [
      { call, grid, host, positional: args.filter((node) => node.type !== "keyword_argument"), keywords },
    ];
  });
}

/** The assignment `name = value` in the function, when there is exactly one. */
export function onlyAssignment(scope: RuleNode, name: string): RuleNode | undefined {
  const found = scope
    .descendantsOfType(["assignment", "augmented_assignment"])
    .filter((node) => usesOf(node.childForFieldName("left") ?? node, name).length > 0);
  const [assignment] = found;
  return found.length === 1 &&
    assignment?.type === "assignment" &&
    assignment.childForFieldName("left")?.text === name
    ? assignment
    : undefined;
}

/** The constant that the launch passes for a parameter or option; undefined when it is computed. */
export function launchConstant(launch: TritonLaunch, name: string): LaunchConstant | undefined {
  const value = launch.keywords.get(name);
  if (value?.type === "integer") return { value: Number(value.text), holder: value, local: undefined };
  const holder =
    value?.type === "identifier"
      ? onlyAssignment(launch.host, value.text)?.childForFieldName("right")
      : undefined;
  return holder?.type === "integer" && value !== undefined
    ? { value: Number(holder.text), holder, local: value.text }
    : undefined;
}

/** Threads of a program: 32 × num_warps as passed at the launch, 4 when left out; undefined when computed. */
export function launchWarps(launch: TritonLaunch): number | undefined {
  return launch.keywords.has("num_warps") ? launchConstant(launch, "num_warps")?.value : 4;
}

/** Calls of `tl.NAME`. */
export function languageCalls(node: RuleNode, names: readonly string[]): readonly RuleNode[] {
  return node.descendantsOfType("call").filter((call) => {
    const callee = compact(call.childForFieldName("function"));
    return names.some((name) => callee === `tl.${name}` || callee === `triton.language.${name}`);
  });
}

/** The keyword argument's value in a call. */
export function keyword(call: RuleNode, name: string): RuleNode | undefined {
  const argument = call
    .childForFieldName("arguments")
    ?.namedChildren.find(
      (node) => node.type === "keyword_argument" && node.childForFieldName("name")?.text === name,
    );
  return argument?.childForFieldName("value") ?? undefined;
}

/** Positional arguments of a call. */
export function positional(call: RuleNode): readonly RuleNode[] {
  return (call.childForFieldName("arguments")?.namedChildren ?? []).filter(
    (node) => node.type !== "keyword_argument" && node.type !== "comment",
  );
}

/** True when every load and store names a mask: then a longer block only masks more. */
export function isMasked(body: RuleNode): boolean {
  return (
    languageCalls(body, ["load", "store"]).every((call) => keyword(call, "mask") !== undefined) &&
    languageCalls(body, ["make_block_ptr", "make_tensor_descriptor"]).length === 0
  );
}

/**
 * True when the kernel works on tiles of two dimensions: its arange vectors are widened by `[:, None]` or
 * `[None, :]`.
 */
export function hasTwoDimensions(body: RuleNode): boolean {
  return (
    body.descendantsOfType("slice").length > 0 ||
    languageCalls(body, ["expand_dims", "reshape", "view", "trans", "broadcast_to"]).length > 0
  );
}

/**
 * True when a local name of the launching function serves only the launch: its keywords, and `cdiv(…, name)`
 * for the grid.
 */
export function servesLaunchOnly(launch: TritonLaunch, local: string): boolean {
  const assignment = onlyAssignment(launch.host, local);
  return (
    assignment !== undefined &&
    usesOf(launch.host, local).every((use) => {
      if (use.startIndex >= assignment.startIndex && use.endIndex <= assignment.endIndex) return true;
      if (use.parent?.type === "keyword_argument") return enclosing(use, ["call"])?.id === launch.call.id;
      const call = use.parent?.type === "argument_list" ? use.parent.parent : null;
      return (
        call?.type === "call" &&
        /(^|\.)cdiv$/.test(compact(call.childForFieldName("function"))) &&
        positional(call)[1]?.id === use.id
      );
    })
  );
}

/**
 * True when the grid follows the block: by `cdiv(…, local)` or by a lambda over the launch's own keywords.
 */
export function gridFollows(launch: TritonLaunch, parameter: string, local: string | undefined): boolean {
  const grid =
    launch.grid.type === "identifier"
      ? (onlyAssignment(launch.host, launch.grid.text)?.childForFieldName("right") ?? launch.grid)
      : launch.grid;
  if (local !== undefined && usesOf(grid, local).length > 0) return true;
  return grid.type === "lambda" && new RegExp(`\\[\\s*["']${parameter}["']\\s*\\]`).test(grid.text);
}
