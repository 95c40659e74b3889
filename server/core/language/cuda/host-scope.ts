import { collapse, enclosing, namesIn } from "../query";
import type { SyntaxNode } from "../tree";

/** Names that a launch may use: what each stands for, as text. */
export interface HostScope {
  /**
   * Scalars of the host function, then of the file, then object-like macros. Names that are assigned more
   * than once are left out.
   */
  readonly scalars: ReadonlyMap<string, string>;
  /** `dim3` variables with their expressions, x first. */
  readonly dimensions: ReadonlyMap<string, readonly string[]>;
}

/**
 * Constants of the whole file: constexpr and const declarations outside of functions, object-like macros,
 * enumerators with a value.
 */
export function fileConstants(root: SyntaxNode): ReadonlyMap<string, string> {
  const constants = new Map<string, string>();
  for (const node of root.descendantsOfType(["preproc_def", "init_declarator", "enumerator"])) {
    const name =
      node.type === "init_declarator" ? node.childForFieldName("declarator") : node.childForFieldName("name");
    const value = node.childForFieldName("value");
    if (name === null || value === null || !/^[A-Za-z_]\w*$/.test(name.text)) continue;
    if (
      node.type === "init_declarator" &&
      (enclosing(node, "function_definition", "lambda_expression") !== undefined ||
        value.type === "argument_list")
    )
      continue;
    constants.set(name.text, collapse(value.text));
  }
  return constants;
}

/** Names of a host function as they stand before a launch. */
export function hostScope(
  hostFunction: SyntaxNode | undefined,
  constants: ReadonlyMap<string, string>,
  before: number,
): HostScope {
  const scalars = new Map(constants);
  const dimensions = new Map<string, readonly string[]>();
  if (hostFunction === undefined) return { scalars, dimensions };
  for (const declaration of hostFunction.descendantsOfType("declaration")) {
    if (declaration.startIndex >= before) break;
    const isDim3 = declaration.childForFieldName("type")?.text.replace(/^.*::/, "") === "dim3";
    for (const declarator of declaration.childrenForFieldName("declarator")) {
      if (isDim3) addDimensions(dimensions, declarator);
      else addScalar(scalars, declarator);
    }
  }
  dropReassigned(hostFunction, scalars, before);
  readMembers(hostFunction, dimensions, before);
  readDim3Initializers(hostFunction, scalars, dimensions);
  return { scalars, dimensions };
}

function addScalar(scalars: Map<string, string>, declarator: SyntaxNode): void {
  const name = declarator.childForFieldName("declarator")?.text ?? "";
  const value = declarator.childForFieldName("value");
  if (declarator.type !== "init_declarator" || value === null || !/^[A-Za-z_]\w*$/.test(name)) return;
  const inner =
    value.type === "argument_list" || value.type === "initializer_list" ? value.namedChildren : [value];
  if (inner.length === 1 && inner[0]) scalars.set(name, collapse(inner[0].text));
}

/**
 * `dim3 a(x, y)`, `dim3 a{x, y}`, `dim3 a = dim3(x)`, `dim3 a = x` and `dim3 a(x)` where it reads as the
 * declaration of a function.
 */
function addDimensions(dimensions: Map<string, readonly string[]>, declarator: SyntaxNode): void {
  if (declarator.type === "identifier") {
    dimensions.set(declarator.text, ["1", "1", "1"]);
    return;
  }
  const name = declarator.childForFieldName("declarator")?.text ?? "";
  const value = declarator.childForFieldName("value") ?? declarator.childForFieldName("parameters");
  if (value !== null) dimensions.set(name, dimensionTexts(value) ?? [collapse(value.text)]);
}

/**
 * The expressions of an argument list, of a braced list, of `dim3(…)` and of `dim3{…}`; undefined for any
 * other expression.
 */
export function dimensionTexts(value: SyntaxNode): readonly string[] | undefined {
  if (
    value.type === "argument_list" ||
    value.type === "initializer_list" ||
    value.type === "parameter_list"
  ) {
    return value.namedChildren
      .filter((child) => child.type !== "comment")
      .map((child) => collapse(child.text));
  }
  const callee = value.childForFieldName("function") ?? value.childForFieldName("type");
  const list = value.childForFieldName("arguments") ?? value.childForFieldName("value");
  if (callee?.text.replace(/^.*::/, "") !== "dim3" || list === null) return undefined;
  return dimensionTexts(list);
}

function readDim3Initializers(
  hostFunction: SyntaxNode,
  scalars: Map<string, string>,
  dimensions: Map<string, readonly string[]>,
): void {
  for (const declarator of hostFunction.descendantsOfType("init_declarator")) {
    const name = declarator.childForFieldName("declarator")?.text ?? "";
    const value = declarator.childForFieldName("value");
    if (
      value === null ||
      dimensions.has(name) ||
      value.type === "argument_list" ||
      value.type === "initializer_list"
    )
      continue;
    const texts = dimensionTexts(value);
    if (texts === undefined) continue;
    dimensions.set(name, texts);
    scalars.delete(name);
  }
}

/** A local that is assigned again before the launch has no one value, so it is not a constant. */
function dropReassigned(hostFunction: SyntaxNode, scalars: Map<string, string>, before: number): void {
  for (const node of hostFunction.descendantsOfType(["assignment_expression", "update_expression"])) {
    if (node.startIndex >= before) break;
    const target = node.childForFieldName("left") ?? node.childForFieldName("argument");
    if (target?.type === "identifier") scalars.delete(target.text);
  }
}

const members = ["x", "y", "z"];

/** `grid.x = …` before the launch. */
function readMembers(
  hostFunction: SyntaxNode,
  dimensions: Map<string, readonly string[]>,
  before: number,
): void {
  for (const assignment of hostFunction.descendantsOfType("assignment_expression")) {
    if (assignment.startIndex >= before) break;
    const left = assignment.childForFieldName("left");
    const right = assignment.childForFieldName("right");
    const name = left?.childForFieldName("argument")?.text ?? "";
    const position = members.indexOf(left?.childForFieldName("field")?.text ?? "");
    const known = dimensions.get(name);
    if (right === null || position < 0 || known === undefined) continue;
    dimensions.set(
      name,
      members.map((_, index) => (index === position ? collapse(right.text) : (known[index] ?? "1"))),
    );
  }
}

/** The constants that the expressions name, followed until nothing new is named. */
export function neededConstants(
  expressions: readonly string[],
  scalars: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> {
  const needed: Record<string, string> = {};
  const pending = expressions.flatMap(namesIn);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const value = scalars.get(name);
    if (value === undefined || Object.hasOwn(needed, name)) continue;
    needed[name] = value;
    pending.push(...namesIn(value));
  }
  return needed;
}
