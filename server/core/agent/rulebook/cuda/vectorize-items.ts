import type { TextEdit } from "../edits";
import { editedTree, indentOf, replaceNode } from "../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../evidence";
import type { RuleNode } from "../rule";
import { defineRule, fillSentence, threshold } from "../rule-table";
import { compact, lineOf, operands, usesOf } from "../syntax";
import type { CudaKernel } from "./kernel-source";
import { cudaKernel, usesWarpLevel } from "./kernel-source";
import { subscriptIndex } from "./shared-array";
import type { ItemLoop } from "./thread-items";
import { itemLoops, localValues } from "./thread-items";

const width = 4;
const vectorTypes: Readonly<Record<string, string>> = { float: "float4", int: "int4", unsigned: "uint4", unsignedint: "uint4" };

/** `if (index < end) { out[index] = f(a[index], …); }` over arrays of one 4-byte type. */
interface ElementStatement {
  readonly guard: RuleNode;
  readonly condition: RuleNode;
  readonly assignment: RuleNode;
  readonly end: string;
  readonly index: string;
  readonly output: string;
  readonly inputs: readonly string[];
  readonly vector: string;
}

/**
 * Lets a thread load and store four neighbouring elements at once where items are dealt out in turn. The last elements, and arrays that do not
 * begin at a multiple of 16 bytes, take the scalar path.
 */
export const vectorizeItems = defineRule("cuda-vectorize-items", (input, entry) => {
  const kernel = cudaKernel(input);
  if (kernel === undefined || usesWarpLevel(kernel.body) || /__shared__|__syncthreads|\batomic/.test(kernel.body.text)) return [];
  return itemLoops(kernel).flatMap((loop) => {
    const [index] = localValues(loop.body);
    const first = index === undefined ? undefined : stridedStart(kernel, loop, index.value);
    const element = index === undefined ? undefined : elementStatement(kernel, loop, index.name);
    if (first === undefined || element === undefined || loop.count % width !== 0) return [];
    const counts = countsOf(input, element.guard);
    const requests = counts.globalLoadRequests + counts.globalStoreRequests;
    const bytes = counts.globalBytesRequested / Math.max(1, requests);
    if (requests === 0 || bytes > threshold(entry, "bytesPerRequestMost")) return [];
    const value = counts.globalLoadRequests;
    const facts = { file: input.file, line: lineOf(element.assignment), counter: "globalLoadRequests" as const, value, ideal: Math.ceil(value / width) };
    return [{
      tree: editedTree(input, [...first, replaceNode(loop.update, `${loop.item} += ${width}`), vectorPath(kernel, element)]),
      hypothesis: fillSentence(entry.hypothesis, { vector: element.vector }),
      evidence: evidenceFor(entry, facts, { bytes }),
      gain: gainOn(input, ["issue"], shareSaved((counts.instructions * (width - 1)) / width, input.counters.totals.instructions)),
    }];
  });
});

/** For `first + item * blockDim.x` with `first = blockIdx.x * blockDim.x * ITEMS + threadIdx.x`: the edit that makes threads start four elements apart. */
function stridedStart(kernel: CudaKernel, loop: ItemLoop, index: RuleNode): readonly TextEdit[] | undefined {
  const terms = operands(index, "+");
  const step = terms.find((term) => operands(term, "*").map(compact).sort().join() === ["blockDim.x", loop.item].sort().join());
  const name = terms.find((term) => term !== step);
  const start = localValues(kernel.body).find((local) => local.name === name?.text && local.declaration.endIndex <= loop.loop.startIndex);
  if (terms.length !== 2 || step === undefined || start === undefined || usesOf(kernel.body, start.name).length !== 2) return undefined;
  const parts = operands(start.value, "+");
  const thread = parts.find((part) => compact(part) === "threadIdx.x");
  const block = parts.find((part) => operands(part, "*").map(compact).sort().join() === ["blockDim.x", "blockIdx.x", compact(loop.items)].sort().join());
  return parts.length === 2 && thread !== undefined && block !== undefined ? [replaceNode(thread, `threadIdx.x * ${width}`)] : undefined;
}

function elementStatement(kernel: CudaKernel, loop: ItemLoop, index: string): ElementStatement | undefined {
  const [, guard, ...rest] = loop.body.namedChildren.filter((node) => node.type !== "comment");
  const condition = guard?.type === "if_statement" ? guard.childForFieldName("condition")?.childForFieldName("value") : null;
  const consequence = guard?.childForFieldName("consequence");
  if (guard === undefined || !condition || !consequence || rest.length > 0 || guard.childForFieldName("alternative") !== null) return undefined;
  const statements = consequence.type === "compound_statement" ? consequence.namedChildren : [consequence];
  const assignment = statements[0]?.type === "expression_statement" ? statements[0].namedChildren[0] : undefined;
  const target = assignment?.type === "assignment_expression" ? assignment.childForFieldName("left") : null;
  const output = target?.childForFieldName("argument");
  const end = condition.childForFieldName("right");
  const below = condition.childForFieldName("operator")?.text === "<" && compact(condition.childForFieldName("left")) === index && end?.type === "identifier";
  if (statements.length !== 1 || assignment === undefined || assignment.childForFieldName("operator")?.text !== "=" || !below || end === null || output?.type !== "identifier") return undefined;
  const arrays = usesOf(assignment, index).map((use) => (use.parent?.type === "subscript_argument_list" ? use.parent.parent : null));
  const names = arrays.map((node) => (node !== null && subscriptIndex(node)?.text === index ? node?.childForFieldName("argument")?.text : undefined));
  const types = new Set(names.map((name) => kernel.parameters.find((parameter) => parameter.pointer && parameter.name === name)?.type));
  const [type] = types;
  const vector = types.size === 1 && type !== undefined ? vectorTypes[type] : undefined;
  const subscripts = assignment.descendantsOfType("subscript_expression");
  if (vector === undefined || subscripts.length !== arrays.length) return undefined;
  const inputs = [...new Set(names.slice(1))].flatMap((name) => (name === undefined ? [] : [name]));
  return { guard, condition, assignment, end: end.text, index, output: output.text, inputs, vector };
}

/** The guarded statement as a vector path with the scalar path behind it. */
function vectorPath(kernel: CudaKernel, element: ElementStatement): TextEdit {
  const { guard, assignment, index, output, inputs, vector, end } = element;
  const indent = indentOf(kernel.source, guard);
  const value = assignment.childForFieldName("right")?.text ?? "";
  const inner = (text: string, depth: number): string => `${indent}${"  ".repeat(depth)}${text}`;
  const replaceArrays = (field: string): string => inputs.reduce((text, name) => text.replace(new RegExp(`\\b${name}\\s*\\[\\s*${index}\\s*\\]`, "g"), `${name}Four.${field}`), value);
  const addresses = [...new Set([...inputs, output])].map((name) => `reinterpret_cast<size_t>(${name})`).join(" | ");
  const scalar = assignment.text.replace(new RegExp(`\\[\\s*${index}\\s*\\]`, "g"), `[${index} + lane]`);
  const lines = [
    `if (${index} + ${width - 1} < ${end} && (${addresses}) % ${width * 4} == 0) {`,
    ...inputs.map((name) => inner(`const ${vector} ${name}Four = *reinterpret_cast<const ${vector}*>(${name} + ${index});`, 1)),
    inner(`${vector} ${output}Next;`, 1),
    ...["x", "y", "z", "w"].map((field) => inner(`${output}Next.${field} = ${replaceArrays(field)};`, 1)),
    inner(`*reinterpret_cast<${vector}*>(${output} + ${index}) = ${output}Next;`, 1),
    inner("} else {", 0),
    inner(`for (int lane = 0; lane < ${width} && ${index} + lane < ${end}; ++lane) {`, 1),
    inner(`${scalar};`, 2),
    inner("}", 1),
    inner("}", 0),
  ];
  return replaceNode(guard, lines.join("\n"));
}
