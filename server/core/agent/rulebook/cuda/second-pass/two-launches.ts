import { fieldText, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import type { KernelView } from "../kernel";
import { combinedByWarp } from "../rows/carried-values";
import type { OneBlock } from "./one-block";
import type { PartValue } from "./part-values";

const warp = 32;

/** What is new in the file goes by these names. */
interface Names {
  readonly structure: string;
  readonly kernel: string;
  readonly parts: string;
  readonly count: string;
  readonly blocks: string;
  readonly part: string;
}

/** The kernel of the parts in front of the kernel, which goes through them instead, and both launches. */
export function twoLaunches(view: KernelView, work: OneBlock, blocks: string): readonly TextEdit[] {
  const { source, kernel } = view;
  const { name } = kernel.facts;
  const fresh = (wish: string): string => freshName(source, wish);
  const names: Names = {
    structure: fresh(`${name.charAt(0).toUpperCase()}${name.slice(1)}Part`),
    kernel: fresh(`${name}_parts`),
    parts: fresh("parts"),
    count: fresh("partCount"),
    blocks: fresh("partBlocks"),
    part: fresh("part"),
  };
  const list = kernel.definition.descendantsOfType("parameter_list")[0];
  const parameters = partsOf(list).map(({ text }) => text);
  if (list === undefined) return [];
  const taken = [...parameters, `const ${names.structure} *${names.parts}`, `unsigned ${names.count}`];
  const statement = work.launch.call.parent ?? work.launch.call;
  return [
    insertBefore(kernel.definition, partsKernel(view, work, { names, parameters })),
    replaceNode(list, `(${taken.join(", ")})`),
    replaceNode(work.loop.loop, walkOverParts(view, work, names)),
    replaceNode(statement, launches(source, { work, statement, names, blocks })),
  ];
}

/** The structure of a part, and the kernel that stores one for each warp of the grid. */
function partsKernel(
  { source, body }: KernelView,
  { loop, before, values }: OneBlock,
  { names, parameters }: { readonly names: Names; readonly parameters: readonly string[] },
): string {
  const { start, step } = loop;
  const walk = editedText(source, { start: loop.loop.startIndex, end: loop.loop.endIndex }, [
    replaceNode(start, "blockIdx.x * blockDim.x + threadIdx.x"),
    ...(step.amount === undefined ? [] : [replaceNode(step.amount, "blockDim.x * gridDim.x")]),
  ]);
  const [first] = partsOf(body);
  const indent = first === undefined ? "  " : indentOf(source, first);
  const target = `${names.parts}[(blockIdx.x * blockDim.x + threadIdx.x) / ${warp}]`;
  const offset = freshName(source, "offset");
  const lines = [
    ...before.map(({ text }) => text),
    walk,
    ...values.map((value) => combinedByWarp(value, offset)),
    `if (threadIdx.x % ${warp} == 0) {`,
    ...values.map(({ name }, place) => `${indent}${target}.${memberName(place)} = ${name};`),
    "}",
  ];
  const members = values.map(({ type }, place) => `${type} ${memberName(place)};`);
  return [
    `struct ${names.structure} { ${members.join(" ")} };`,
    "",
    `__global__ void ${names.kernel}(${[...parameters, `${names.structure} *${names.parts}`].join(", ")})`,
    "{",
    ...lines.map((line) => `${indent}${line}`),
    "}",
    "",
    "",
  ].join("\n");
}

function memberName(place: number): string {
  return `value${place + 1}`;
}

/** The loop of the block over the parts. */
function walkOverParts({ source }: KernelView, { loop, values }: OneBlock, names: Names): string {
  const { part, parts, count } = names;
  const indent = indentOf(source, loop.loop);
  const lines = values.map(
    (value, place) => `  ${combined(value, `${parts}[${part}].${memberName(place)}`)}`,
  );
  const head = `for (unsigned ${part} = threadIdx.x; ${part} < ${count}; ${part} += blockDim.x) {`;
  return [head, ...lines, "}"].join(`\n${indent}`);
}

function combined({ name, combination }: PartValue, other: string): string {
  if (combination === "sum") return `${name} += ${other};`;
  return `if (${other} ${combination === "greatest" ? ">" : "<"} ${name}) ${name} = ${other};`;
}

interface Host {
  readonly work: OneBlock;
  readonly statement: SyntaxNode;
  readonly names: Names;
  readonly blocks: string;
}

/** Memory for the parts, both launches one behind the other, and the end of that memory. */
function launches(source: string, { work, statement, names, blocks }: Host): string {
  const { call } = work.launch;
  const configuration = call.children.find(({ type }) => type === "kernel_call_syntax");
  const [grid = "1", ...rest] = partsOf(configuration).map(({ text }) => text);
  const stream = rest[2] ?? "0";
  const passed = partsOf(call.childForFieldName("arguments")).map(({ text }) => text);
  const each = work.threads / warp;
  const launched = (kernel: string, extent: string, given: readonly string[]): string =>
    `${kernel}<<<${[extent, ...rest].join(", ")}>>>(${[...passed, ...given].join(", ")});`;
  const lines = [
    `const unsigned ${names.blocks} = ${blocks};`,
    `${names.structure} *${names.parts} = nullptr;`,
    `cudaMallocAsync(reinterpret_cast<void **>(&${names.parts}), sizeof(${names.structure}) * ${names.blocks} * ${each}, ${stream});`,
    launched(names.kernel, names.blocks, [names.parts]),
    launched(fieldText(call, "function"), grid, [names.parts, `${names.blocks} * ${each}`]),
    `cudaFreeAsync(${names.parts}, ${stream});`,
  ];
  const indent = indentOf(source, statement);
  return ["{", ...lines.map((line) => `  ${line}`), "}"].join(`\n${indent}`);
}
