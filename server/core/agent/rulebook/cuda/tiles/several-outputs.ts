import { at } from "../../../../base/known";
import { lineOf } from "../../../../language/query";
import { editedText, editedTree, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOnAccesses, targetGpu } from "../../evidence";
import { isNot, not } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { threadsCooperate } from "../elements/element-work";
import { cudaKernel, type KernelView } from "../kernel";
import { blockShape } from "../launch/block-shape";
import { factorOf, gridEdits } from "../launch/grid-edit";
import { outputsOf } from "./outputs-of";
import { type Operand, type OutputIndex, type ProductLoop, productLoop } from "./product-loops";

/** Outputs of one thread along x and y. */
interface Tile {
  readonly x: number;
  readonly y: number;
}

const tiles: readonly Tile[] = [
  { x: 4, y: 4 },
  { x: 2, y: 4 },
  { x: 2, y: 2 },
  { x: 1, y: 4 },
  { x: 1, y: 2 },
];

/**
 * Lets a thread compute several outputs of a product, so that each operand that it loads serves more than
 * one: rows and columns a block apart, all sums in registers.
 */
export const severalOutputs = defineRule("cuda-several-outputs", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = blockShape(input, view);
  if (isNot(block)) return block;
  const product = productLoop(view, block.sizes);
  if (isNot(product)) return product;
  const counts = countsOf(input, product.loop.loop);
  const { globalLoadRequests: value } = counts;
  if (value === 0) return not("no-evidence", "the loop's loads were not counted", product.loop.loop);
  const [threads, multiprocessors] = [block.sizes[0] * block.sizes[1], targetGpu(input).multiprocessors];
  const blocks = Math.ceil(outputsOf(input) / threads);
  const cost = ({ x, y }: Tile): number =>
    ((x * y + x + y + 2) / (x * y)) * (Math.ceil(blocks / (x * y) / multiprocessors) / blocks) * x * y;
  const [best] = [...tiles].sort((a, b) => cost(a) - cost(b));
  const gain = gainOnAccesses(input, ["l1", "l2", "latency", "dram"], {
    requests: value,
    fraction: 1 - 1 / threshold(entry, "reuse"),
  });
  if (best === undefined || cost(best) >= cost({ x: 1, y: 1 }))
    return {
      ...not("limit", `${blocks} blocks are too few to give each thread more outputs`, view.line),
      gain,
    };
  const held = threadsCooperate(view, { sums: true });
  if (held !== undefined) return { ...held, gain };
  const grid = gridEdits(input, view, ([x, y, z]) => [shrunk(x, best.x), shrunk(y, best.y), z]);
  if (isNot(grid)) return { ...grid, gain };
  const facts = {
    ...{ file: input.file, line: lineOf(product.statement), counter: "globalLoadRequests" as const },
    ...{ value, ideal: Math.ceil((value * (best.x + best.y)) / (2 * best.x * best.y)) },
  };
  return {
    kind: "proposal",
    tree: editedTree(input, [...edits(view, product, best), ...grid]),
    hypothesis: fillSentence(entry.hypothesis, { rows: String(best.y), columns: String(best.x) }),
    evidence: evidenceFor(entry, facts),
    gain,
  };
});

function shrunk(extent: string, factor: number): string {
  return factor === 1 ? extent : `(${factorOf(extent)} + ${factor - 1}) / ${factor}`;
}

interface Names {
  readonly sums: string;
  readonly first: Readonly<Record<"x" | "y", string>>;
  readonly at: Readonly<Record<"x" | "y", string>>;
  /** Arrays of the indices whose operands are loaded: of an output beyond the end those of the first one. */
  readonly safe: Readonly<Record<"x" | "y", string>>;
  readonly operands: readonly string[];
}

function edits(view: KernelView, product: ProductLoop, tile: Tile): readonly TextEdit[] {
  const { source } = view;
  const { indices, region, operands } = product;
  const names: Names = {
    sums: freshName(source, "sums"),
    first: { x: freshName(source, `${indices.x.name}First`), y: freshName(source, `${indices.y.name}First`) },
    safe: {
      x: freshName(source, `${indices.x.name}Loaded`),
      y: freshName(source, `${indices.y.name}Loaded`),
    },
    at: { x: freshName(source, "across"), y: freshName(source, "down") },
    operands: operands.map((_, position) => freshName(source, `operand${position + 1}`)),
  };
  const indent = indentOf(source, region.start);
  const lines = [
    ...sumLines(product, names, tile),
    ...safeLines(indices.y, names, tile),
    ...safeLines(indices.x, names, tile),
    ...loopLines(view, product, { names, tile }),
    ...endLines(view, product, { names, tile }),
  ];
  return [
    ...Object.values(indices).flatMap((index) => firstEdits(index, names, tile)),
    { start: region.start.startIndex, end: region.end.endIndex, text: lines.join(`\n${indent}`) },
  ];
}

/** The definition of an index becomes that of the thread's first one. */
function firstEdits({ axis, local }: OutputIndex, { first }: Names, tile: Tile): readonly TextEdit[] {
  const declared = local.value.parent?.childForFieldName("declarator");
  const start = `blockIdx.${axis} * (blockDim.${axis} * ${tile[axis]}) + threadIdx.${axis}`;
  return [...(declared ? [replaceNode(declared, first[axis])] : []), replaceNode(local.value, start)];
}

function over(names: Names, tile: Tile, axis: "x" | "y"): string {
  const at = names.at[axis];
  return `for (int ${at} = 0; ${at} < ${tile[axis]}; ++${at})`;
}

function sumLines({ sum }: ProductLoop, names: Names, tile: Tile): readonly string[] {
  const { at, sums } = names;
  return [
    `${sum.type} ${sums}[${tile.y}][${tile.x}];`,
    "#pragma unroll",
    over(names, tile, "y"),
    `  ${over(names, tile, "x")} ${sums}[${at.y}][${at.x}] = ${sum.start};`,
  ];
}

/** `const int row = rowFirst + down * blockDim.y;`. */
function indexLine({ axis, name }: OutputIndex, names: Names): string {
  return `const int ${name} = ${names.first[axis]} + ${names.at[axis]} * blockDim.${axis};`;
}

/** True for `row < rows` alone: then the index 0 is inside whenever there is any output. */
function startsAtZero({ name, guards }: OutputIndex): boolean {
  const [guard, ...more] = guards.map((text) => text.replace(/\s+/g, ""));
  const below = [`(${name}<`, `!(${name}>=`].some((start) => guard?.startsWith(start) === true);
  return more.length === 0 && below && guard?.startsWith(`(${name}<=`) === false;
}

/** `rowLoaded[down] = row < rows ? row : 0;`, so that no load in the loop needs a condition. */
function safeLines(index: OutputIndex, names: Names, tile: Tile): readonly string[] {
  const { axis, name, guards } = index;
  if (!startsAtZero(index)) return [];
  return [
    `int ${names.safe[axis]}[${tile[axis]}];`,
    "#pragma unroll",
    `${over(names, tile, axis)} {`,
    `  ${indexLine(index, names)}`,
    `  ${names.safe[axis]}[${names.at[axis]}] = ${guards.join(" && ")} ? ${name} : 0;`,
    "}",
  ];
}

interface Making {
  readonly names: Names;
  readonly tile: Tile;
}

function loopLines(view: KernelView, product: ProductLoop, { names, tile }: Making): readonly string[] {
  const { loop, operands, statement, sum, indices } = product;
  const head = view.source.slice(loop.loop.startIndex, loop.body.startIndex).trim();
  const loads = operands.flatMap((operand, position) =>
    loadLines(operand, { name: at(names.operands, position), index: indices[operand.axis], names, tile }),
  );
  const replaced = [
    ...operands.map(({ node, axis }, position) =>
      replaceNode(node, `${names.operands[position]}[${names.at[axis]}]`),
    ),
    ...statement
      .descendantsOfType("identifier")
      .filter(({ text }) => text === sum.name)
      .map((node) => replaceNode(node, `${names.sums}[${names.at.y}][${names.at.x}]`)),
  ];
  const range = { start: statement.startIndex, end: statement.endIndex };
  return [
    `${head} {`,
    ...loads.map((line) => `  ${line}`),
    "  #pragma unroll",
    `  ${over(names, tile, "y")}`,
    `    ${over(names, tile, "x")} ${editedText(view.source, range, replaced)}`,
    "}",
  ];
}

function loadLines(
  { node, axis, elementType }: Operand,
  { name, index, names, tile }: Making & { readonly name: string; readonly index: OutputIndex },
): readonly string[] {
  const at = names.at[axis];
  const guard = index.guards.length === 0 ? "true" : index.guards.join(" && ");
  const inside = startsAtZero(index)
    ? [`  const int ${index.name} = ${names.safe[axis]}[${at}];`, `  ${name}[${at}] = ${node.text};`]
    : [
        `  ${indexLine(index, names)}`,
        `  ${name}[${at}] = ${guard} ? ${node.text} : static_cast<${elementType}>(0);`,
      ];
  return [
    `${elementType} ${name}[${tile[axis]}];`,
    "#pragma unroll",
    `${over(names, tile, axis)} {`,
    ...inside,
    "}",
  ];
}

function endLines(
  view: KernelView,
  { after, sum, indices }: ProductLoop,
  { names, tile }: Making,
): readonly string[] {
  const { x, y } = indices;
  const guard = [...y.guards, ...x.guards].join(" && ");
  return [
    "#pragma unroll",
    over(names, tile, "y"),
    `  ${over(names, tile, "x")} {`,
    `    ${indexLine(y, names)}`,
    `    ${indexLine(x, names)}`,
    `    if (${guard}) {`,
    `      ${sum.type} ${sum.name} = ${names.sums}[${names.at.y}][${names.at.x}];`,
    ...after.map((node) => `      ${view.source.slice(node.startIndex, node.endIndex)}`),
    "    }",
    "  }",
  ];
}
