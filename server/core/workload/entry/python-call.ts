import type { EntrySpec } from "../spec";

/**
 * Whether an entry is a whole Python expression, such as `norm.py::RMSNorm(hidden)(x)`, and not the name of a
 * function. Its text then names the inputs, the outputs that it fills, the sizes and the values of a case.
 */
export function isPythonExpression({ call }: Pick<EntrySpec, "call">): boolean {
  return /^[^:]+\.py::[^(]*\(/.test(call);
}

/** Names that the expression of an entry holds, attributes and the insides of texts apart. */
export function namesInCall({ call }: EntrySpec): ReadonlySet<string> {
  const expression = call.slice(call.indexOf("::") + 2).replace(/"[^"]*"|'[^']*'/g, " ");
  return new Set(expression.match(/(?<![\w.])[A-Za-z_]\w*/g) ?? []);
}

/** Whether an entry is handed the tensor of a name. */
export function takes(entry: EntrySpec, name: string): boolean {
  return isPythonExpression(entry) ? namesInCall(entry).has(name) : entry.arguments.includes(name);
}
