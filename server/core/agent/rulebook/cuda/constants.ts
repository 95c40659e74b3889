import type { RuleNode } from "../rule";
import { unwrapped } from "../syntax";

/** Where a name gets its one constant value. */
export interface NamedConstant {
  readonly name: string;
  readonly value: number;
  /** The node that holds the value: a literal or an expression of constants. */
  readonly valueNode: RuleNode;
}

/**
 * `constexpr int`, `const int`, `static const`, enum-free, and `#define NAME number` at the top or in a
 * function.
 */
export function namedConstants(root: RuleNode): ReadonlyMap<string, NamedConstant> {
  const found = new Map<string, NamedConstant>();
  const repeated = new Set<string>();
  const add = (name: string, valueNode: RuleNode, value: number | undefined): void => {
    if (found.has(name)) repeated.add(name);
    if (value !== undefined) found.set(name, { name, value, valueNode });
  };
  for (const node of root.descendantsOfType(["preproc_def", "declaration"])) {
    if (node.type === "preproc_def") {
      const [name, value] = [node.childForFieldName("name"), node.childForFieldName("value")];
      if (name !== null && value !== null && /^\s*\(?\s*\d+\s*\)?\s*$/.test(value.text))
        add(name.text, value, Number(/\d+/.exec(value.text)?.[0]));
      continue;
    }
    if (
      !node.children.some(
        (child) => child.type === "type_qualifier" && /^(const|constexpr)$/.test(child.text),
      )
    )
      continue;
    for (const declarator of node.childrenForFieldName("declarator")) {
      const [name, value] = [
        declarator.childForFieldName("declarator"),
        declarator.childForFieldName("value"),
      ];
      if (declarator.type === "init_declarator" && name?.type === "identifier" && value !== null)
        add(name.text, value, constantValue(value, found));
    }
  }
  for (const name of repeated) found.delete(name);
  return found;
}

/**
 * Value of an integer expression over literals and known constants; undefined when anything else takes part.
 * Division truncates.
 */
export function constantValue(
  node: RuleNode,
  constants: ReadonlyMap<string, NamedConstant>,
): number | undefined {
  const inner = unwrapped(node);
  if (inner.type === "number_literal") {
    const text = inner.text.replace(/'/g, "").replace(/[uUlL]+$/, "");
    return /^(0[xX][0-9a-fA-F]+|\d+)$/.test(text) ? Number(text) : undefined;
  }
  if (inner.type === "identifier" || inner.type === "type_identifier" || inner.type === "type_descriptor")
    return constants.get(inner.text)?.value;
  if (
    inner.type === "parameter_declaration" &&
    inner.namedChildren.length === 1 &&
    inner.namedChildren[0] !== undefined
  )
    return constantValue(inner.namedChildren[0], constants);
  if (inner.type !== "binary_expression") return undefined;
  const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
  const a = left === null ? undefined : constantValue(left, constants);
  const b = right === null ? undefined : constantValue(right, constants);
  if (a === undefined || b === undefined) return undefined;
  switch (inner.childForFieldName("operator")?.text) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return b === 0 ? undefined : Math.trunc(a / b);
    case "<<":
      return a << b;
    default:
      return undefined;
  }
}
