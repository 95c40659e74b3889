import type { TextEdit } from "../edits";
import { indentOf, replaceNode } from "../edits";
import type { RuleNode } from "../rule";
import { compact, freshName, usesOf } from "../syntax";
import type { CudaKernel } from "./kernel-source";
import { usesWarpLevel } from "./kernel-source";
import { subscriptIndex } from "./shared-array";

/** Elements of one vector access. */
export const vectorWidth = 4;
const vectorTypes: Readonly<Record<string, string>> = {
  float: "float4",
  int: "int4",
  unsigned: "uint4",
  unsignedint: "uint4",
};

/** `out[index] = f(a[index], …);` for index below end, over arrays of one 4-byte type. */
export interface ElementStatement {
  /** What is to be replaced: the guarding `if`, or the statement itself in a loop that ends at the end. */
  readonly node: RuleNode;
  readonly assignment: RuleNode;
  readonly end: string;
  readonly index: string;
  readonly output: string;
  readonly inputs: readonly string[];
  readonly vector: string;
}

/**
 * True when the threads of a block have nothing to do with each other, so that they may share the elements
 * out in another way.
 */
export function threadsStandAlone(kernel: CudaKernel): boolean {
  return !usesWarpLevel(kernel) && !/__shared__|__syncthreads|\batomic/.test(kernel.body.text);
}

/** Reads `if (index < end) { out[index] = …; }` with nothing else in it. */
export function guardedElement(
  kernel: CudaKernel,
  guard: RuleNode | undefined,
  index: string,
): ElementStatement | undefined {
  const condition =
    guard?.type === "if_statement" && guard.childForFieldName("alternative") === null
      ? guard.childForFieldName("condition")?.childForFieldName("value")
      : null;
  const consequence = guard?.childForFieldName("consequence");
  const end = condition ? endOf(condition, index) : undefined;
  return guard !== undefined && consequence && end !== undefined
    ? elementStatement(kernel, { node: guard, body: consequence, index, end })
    : undefined;
}

/** The name that the index stays below: `index < end`. */
export function endOf(condition: RuleNode, index: string): string | undefined {
  const end = condition.childForFieldName("right");
  const below =
    condition.childForFieldName("operator")?.text === "<" &&
    compact(condition.childForFieldName("left")) === index;
  return below && end?.type === "identifier" ? end.text : undefined;
}

/**
 * Reads the one assignment of a body; undefined when there is more, or when an array is used at another index
 * or has another type.
 */
export function elementStatement(
  kernel: CudaKernel,
  place: { readonly node: RuleNode; readonly body: RuleNode; readonly index: string; readonly end: string },
): ElementStatement | undefined {
  const { node, body, index, end } = place;
  const statements = body.type === "compound_statement" ? body.namedChildren : [body];
  const assignment =
    statements[0]?.type === "expression_statement" ? statements[0].namedChildren[0] : undefined;
  const output =
    assignment?.type === "assignment_expression"
      ? assignment.childForFieldName("left")?.childForFieldName("argument")
      : null;
  if (
    statements.length !== 1 ||
    assignment === undefined ||
    assignment.childForFieldName("operator")?.text !== "=" ||
    output?.type !== "identifier"
  )
    return undefined;
  const arrays = usesOf(assignment, index).map((use) =>
    use.parent?.type === "subscript_argument_list" ? use.parent.parent : null,
  );
  const names = arrays.map((array) =>
    array !== null && subscriptIndex(array)?.text === index
      ? array.childForFieldName("argument")?.text
      : undefined,
  );
  const types = new Set(
    names.map(
      (name) => kernel.parameters.find((parameter) => parameter.pointer && parameter.name === name)?.type,
    ),
  );
  const [type] = types;
  const vector = types.size === 1 && type !== undefined ? vectorTypes[type] : undefined;
  if (vector === undefined || assignment.descendantsOfType("subscript_expression").length !== arrays.length)
    return undefined;
  const inputs = [...new Set(names.slice(1))].flatMap((name) => (name === undefined ? [] : [name]));
  return { node, assignment, end, index, output: output.text, inputs, vector };
}

/**
 * The statement as a path of vector accesses, with the scalar path behind it for the tail and for arrays that
 * are not aligned.
 */
export function vectorPath(kernel: CudaKernel, element: ElementStatement): TextEdit {
  const { node, assignment, index, output, inputs, vector, end } = element;
  const indent = indentOf(kernel.source, node);
  const value = assignment.childForFieldName("right")?.text ?? "";
  const inner = (text: string, depth: number): string => `${indent}${"  ".repeat(depth)}${text}`;
  const loaded = new Map(inputs.map((name) => [name, freshName(kernel.source, `${name}Four`)]));
  const [stored, lane] = [freshName(kernel.source, `${output}Next`), freshName(kernel.source, "lane")];
  const componentOf = (field: string): string =>
    [...loaded].reduce(
      (text, [name, four]) =>
        text.replace(new RegExp(`\\b${name}\\s*\\[\\s*${index}\\s*\\]`, "g"), `${four}.${field}`),
      value,
    );
  const bases = [...new Set([...inputs, output])].map((name) => `reinterpret_cast<size_t>(${name})`);
  const addresses = bases.length === 1 ? bases.join() : `(${bases.join(" | ")})`;
  const scalar = assignment.text.replace(new RegExp(`\\[\\s*${index}\\s*\\]`, "g"), `[${index} + ${lane}]`);
  const lines = [
    `if (${index} + ${vectorWidth - 1} < ${end} && ${addresses} % ${vectorWidth * 4} == 0) {`,
    ...[...loaded].map(([name, four]) =>
      inner(`const ${vector} ${four} = *reinterpret_cast<const ${vector}*>(${name} + ${index});`, 1),
    ),
    inner(`${vector} ${stored};`, 1),
    ...["x", "y", "z", "w"].map((field) => inner(`${stored}.${field} = ${componentOf(field)};`, 1)),
    inner(`*reinterpret_cast<${vector}*>(${output} + ${index}) = ${stored};`, 1),
    inner("} else {", 0),
    inner(`for (int ${lane} = 0; ${lane} < ${vectorWidth} && ${index} + ${lane} < ${end}; ++${lane}) {`, 1),
    inner(`${scalar};`, 2),
    inner("}", 1),
    inner("}", 0),
  ];
  return replaceNode(node, lines.join("\n"));
}
